#include "lvmd/metadata/config_tree.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace lvmd::metadata {
namespace {

using Kind = ConfigNode::Kind;

// LVM uses at most five levels (group, list, volume, segment, messages of a thin pool).
constexpr int kMaxDepth = 8;
// A node needs this many characters at least; LVM's need more than ten on average.
constexpr std::size_t kCharactersOfNode = 12;

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The characters of names in LVM, and of its keys.
constexpr bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' ||
         c == '.' || c == '+';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    nodes_.reserve(text.size() / kCharactersOfNode + 1);
    nodes_.emplace_back();
  }

  Result<std::vector<ConfigNode>> parse() {
    if (text_.size() > std::numeric_limits<std::uint32_t>::max())
      return fail(Code::kUnimplemented, "the metadata text is larger than 4 GiB");
    // LVM writes none, and a string could contain one.
    if (text_.contains('\0')) return fail(Code::kUnimplemented, "the metadata text contains a NUL");
    if (auto read = entries(0, 0); !read) return std::unexpected(std::move(read.error()));
    if (nodes_.size() == 1) return fail(Code::kUnimplemented, "the metadata text is empty");
    return std::move(nodes_);
  }

 private:
  // Skips blanks and comments. Returns the next character, or 0 at the end of the text.
  char next() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (is_space(text_[at_]))
        ++at_;
      else
        return text_[at_];
    }
    return '\0';
  }

  [[nodiscard]] Failure wrong() const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    return fail(Code::kUnimplemented, "the metadata text cannot be parsed at line {}", line);
  }

  std::uint32_t add(std::uint32_t parent, std::uint32_t& last, ConfigNode node) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    node.parent = parent;
    (last == 0 ? nodes_[parent].child : nodes_[last].next) = index;
    nodes_.push_back(node);
    last = index;
    return index;
  }

  // The entries of a section up to its end, which is that of the text for the root.
  Status entries(std::uint32_t section, int depth) {
    for (std::uint32_t last = 0;;) {
      const char c = next();
      if (section == 0 && c == '\0' && at_ == text_.size()) return {};
      if (section != 0 && c == '}') {
        ++at_;
        return {};
      }
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      if (at_ == begin) return wrong();
      const std::string_view key = text_.substr(begin, at_ - begin);
      const char what = next();
      if (what != '=' && what != '{') return wrong();
      ++at_;
      if (auto read = what == '=' ? value(section, last, key) : child(section, last, key, depth);
          !read)
        return read;
    }
  }

  Status child(std::uint32_t parent, std::uint32_t& last, std::string_view key, int depth) {
    if (depth + 1 > kMaxDepth)
      return fail(Code::kUnimplemented, "the metadata text is nested deeper than {}", kMaxDepth);
    return entries(add(parent, last, {.key = key}), depth + 1);
  }

  Status value(std::uint32_t parent, std::uint32_t& last, std::string_view key) {
    if (next() != '[') return scalar(parent, last, key);
    ++at_;
    const std::uint32_t list = add(parent, last, {.key = key, .kind = Kind::kList});
    if (next() == ']') {
      ++at_;
      return {};
    }
    for (std::uint32_t element = 0;;) {
      next();
      if (auto read = scalar(list, element, {}); !read) return read;
      const char c = next();
      if (c != ',' && c != ']') return wrong();
      ++at_;
      if (c == ']') return {};
    }
  }

  Status scalar(std::uint32_t parent, std::uint32_t& last, std::string_view key) {
    if (at_ == text_.size()) return wrong();
    ConfigNode node{.key = key};
    if (text_[at_] == '"' ? !quoted(node) : !number(node)) return wrong();
    add(parent, last, node);
    return {};
  }

  bool quoted(ConfigNode& node) {
    std::size_t end = text_.find('"', at_ + 1);
    // The character after a backslash ends nothing. Few strings have one.
    if (end != std::string_view::npos && text_.substr(at_, end - at_).contains('\\')) {
      constexpr std::string_view kStops = "\"\\";
      end = text_.find_first_of(kStops, at_ + 1);
      while (end != std::string_view::npos && text_[end] == '\\')
        end = text_.find_first_of(kStops, end + 2);
    }
    if (end == std::string_view::npos) return false;
    node.kind = Kind::kText;
    node.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool number(ConfigNode& node) {
    const char* const end = text_.data() + text_.size();
    // LVM would read an octal number.
    const std::size_t first = text_[at_] == '-' ? at_ + 1 : at_;
    if (text_.substr(first).starts_with('0') && first + 1 < text_.size() &&
        is_digit(text_[first + 1]))
      return false;
    const auto [after, error] = std::from_chars(text_.data() + at_, end, node.number);
    if (error != std::errc{}) return false;
    node.kind = Kind::kNumber;
    at_ = static_cast<std::size_t>(after - text_.data());
    if (at_ < text_.size() && text_[at_] == '.') {
      node.kind = Kind::kFraction;
      for (++at_; at_ < text_.size() && is_digit(text_[at_]);) ++at_;
    }
    return at_ == text_.size() || !is_name(text_[at_]);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::vector<ConfigNode> nodes_;
};

// LVM escapes quotes and backslashes only.
std::string unescaped(std::string_view text) {
  if (!text.contains('\\')) return std::string{text};
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    result += text[i];
  }
  return result;
}

}  // namespace

std::string ConfigSection::path() const {
  std::string path;
  for (std::uint32_t at = index_; at != 0; at = nodes_[at].parent) {
    if (!path.empty()) path.insert(path.begin(), '/');
    path.insert(0, nodes_[at].key);
  }
  return path;
}

const ConfigNode* ConfigSection::find(std::string_view key) const {
  for (std::uint32_t at = nodes_[index_].child; at != 0; at = nodes_[at].next)
    if (nodes_[at].key == key) return &nodes_[at];
  return nullptr;
}

std::size_t ConfigSection::count(std::uint32_t first) const {
  std::size_t count = 0;
  for (std::uint32_t at = first; at != 0; at = nodes_[at].next) ++count;
  return count;
}

std::vector<const ConfigNode*> ConfigSection::elements(std::string_view key) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) return {};
  if (node->kind != Kind::kList) return {node};
  std::vector<const ConfigNode*> result;
  result.reserve(count(node->child));
  for (std::uint32_t at = node->child; at != 0; at = nodes_[at].next) result.push_back(&nodes_[at]);
  return result;
}

Result<std::uint64_t> ConfigSection::number(std::string_view key, std::uint64_t max) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr || node->kind != Kind::kNumber || node->number < 0 ||
      static_cast<std::uint64_t>(node->number) > max)
    return fail(Code::kUnimplemented, "{}/{} is not a number from 0 to {}", path(), key, max);
  return static_cast<std::uint64_t>(node->number);
}

Result<std::uint64_t> ConfigSection::number_or(std::string_view key, std::uint64_t absent) const {
  if (!has(key)) return absent;
  return number(key);
}

Result<std::string> ConfigSection::text(std::string_view key) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr || node->kind != Kind::kText)
    return fail(Code::kUnimplemented, "{}/{} is not a string", path(), key);
  return unescaped(node->text);
}

Result<std::string> ConfigSection::text_or_empty(std::string_view key) const {
  if (!has(key)) return std::string{};
  return text(key);
}

Result<std::vector<std::string>> ConfigSection::texts(std::string_view key) const {
  const auto list = elements(key);
  std::vector<std::string> result;
  result.reserve(list.size());
  for (const ConfigNode* const element : list) {
    if (element->kind != Kind::kText)
      return fail(Code::kUnimplemented, "{}/{} is not a list of strings", path(), key);
    result.push_back(unescaped(element->text));
  }
  return result;
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> ConfigSection::areas(
    std::string_view key) const {
  const auto list = elements(key);
  std::vector<std::pair<std::string, std::uint64_t>> result;
  result.reserve(list.size() / 2);
  for (std::size_t i = 0; i < list.size(); i += 2) {
    if (list[i]->kind != Kind::kText || i + 1 == list.size() ||
        list[i + 1]->kind != Kind::kNumber || list[i + 1]->number < 0)
      return fail(Code::kUnimplemented, "{}/{} is not a list of areas", path(), key);
    result.emplace_back(unescaped(list[i]->text), static_cast<std::uint64_t>(list[i + 1]->number));
  }
  return result;
}

std::vector<std::pair<std::string_view, ConfigSection>> ConfigSection::sections() const {
  std::vector<std::pair<std::string_view, ConfigSection>> result;
  result.reserve(count(nodes_[index_].child));
  for (std::uint32_t at = nodes_[index_].child; at != 0; at = nodes_[at].next)
    if (nodes_[at].kind == Kind::kSection)
      result.emplace_back(nodes_[at].key, ConfigSection{nodes_, at});
  return result;
}

Result<ConfigTree> ConfigTree::parse(const std::string& text) {
  auto nodes = Parser{text}.parse();
  if (!nodes) return std::unexpected(std::move(nodes.error()));
  return ConfigTree{*std::move(nodes)};
}

}  // namespace lvmd::metadata
