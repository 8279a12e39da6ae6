#include "lvmd/model/lvcreate_arguments.hpp"

#include <algorithm>
#include <array>

namespace lvmd::model {
namespace {

// kOther: the option changes neither the number nor the place of extents.
enum class Effect : std::uint8_t { kSpace, kOther };

struct Option {
  std::string_view name;
  // 0 if there is no short form.
  char letter;
  bool takes_value;
  Effect effect = Effect::kSpace;
};

// All options of lvcreate: the resolution of an abbreviated name depends on all names.
constexpr std::array kOptions = {
    Option{"activate", 'a', true, Effect::kOther},
    Option{"addtag", 0, true, Effect::kOther},
    Option{"alloc", 0, true},
    Option{"autobackup", 'A', true, Effect::kOther},
    Option{"available", 0, true, Effect::kOther},
    Option{"cache", 'H', false},
    Option{"cachedevice", 0, true},
    Option{"cachemetadataformat", 0, true},
    Option{"cachemode", 0, true},
    Option{"cachepolicy", 0, true},
    Option{"cachepool", 0, true},
    Option{"cachesettings", 0, true},
    Option{"cachesize", 0, true},
    Option{"cachevol", 0, true},
    Option{"chunksize", 'c', true},
    Option{"commandprofile", 0, true},
    Option{"compression", 0, true},
    Option{"config", 0, true},
    Option{"contiguous", 'C', true},
    Option{"corelog", 0, false},
    Option{"debug", 'd', false, Effect::kOther},
    Option{"deduplication", 0, true},
    Option{"devices", 0, true},
    Option{"devicesfile", 0, true},
    Option{"discards", 0, true},
    Option{"driverloaded", 0, true, Effect::kOther},
    Option{"errorwhenfull", 0, true},
    Option{"extents", 'l', true},
    Option{"help", 'h', false},
    Option{"ignoreactivationskip", 'K', false, Effect::kOther},
    Option{"ignoremonitoring", 0, false, Effect::kOther},
    Option{"journal", 0, true, Effect::kOther},
    Option{"lockopt", 0, true, Effect::kOther},
    Option{"longhelp", 0, false},
    Option{"major", 'j', true, Effect::kOther},
    Option{"maxrecoveryrate", 0, true, Effect::kOther},
    Option{"metadataprofile", 0, true, Effect::kOther},
    Option{"minor", 0, true, Effect::kOther},
    Option{"minrecoveryrate", 0, true, Effect::kOther},
    Option{"mirrorlog", 0, true},
    Option{"mirrors", 'm', true},
    Option{"monitor", 0, true, Effect::kOther},
    Option{"name", 'n', true},
    Option{"nohints", 0, false, Effect::kOther},
    Option{"nolocking", 0, false, Effect::kOther},
    Option{"nosync", 0, false, Effect::kOther},
    Option{"noudevsync", 0, false, Effect::kOther},
    Option{"permission", 'p', true, Effect::kOther},
    Option{"persistent", 'M', true, Effect::kOther},
    Option{"poolmetadatasize", 0, true},
    Option{"poolmetadataspare", 0, true},
    Option{"profile", 0, true},
    Option{"quiet", 'q', false, Effect::kOther},
    Option{"raidintegrity", 0, true},
    Option{"raidintegrityblocksize", 0, true},
    Option{"raidintegritymode", 0, true},
    Option{"raidmaxrecoveryrate", 0, true, Effect::kOther},
    Option{"raidminrecoveryrate", 0, true, Effect::kOther},
    Option{"readahead", 'r', true, Effect::kOther},
    Option{"regionsize", 'R', true},
    Option{"reportformat", 0, true, Effect::kOther},
    Option{"setactivationskip", 'k', true, Effect::kOther},
    Option{"setautoactivation", 0, true, Effect::kOther},
    Option{"size", 'L', true},
    Option{"snapshot", 's', false},
    Option{"stripes", 'i', true},
    Option{"stripesize", 'I', true, Effect::kOther},
    Option{"test", 't', false},
    Option{"thin", 'T', false},
    Option{"thinpool", 0, true},
    Option{"type", 0, true},
    Option{"vdo", 0, false},
    Option{"vdopool", 0, true},
    Option{"vdosettings", 0, true},
    Option{"verbose", 'v', false, Effect::kOther},
    Option{"version", 0, false},
    Option{"virtualoriginsize", 0, true},
    Option{"virtualsize", 'V', true},
    Option{"wipesignatures", 'W', true, Effect::kOther},
    Option{"yes", 'y', false},
    Option{"zero", 'Z', true, Effect::kOther},
};

const Option* find_long(std::string_view written) {
  std::string name{written};
  std::erase(name, '-');
  const auto* const exact = std::ranges::find(kOptions, name, &Option::name);
  if (exact != kOptions.end()) return &*exact;
  const auto matches = [&name](const Option& option) { return option.name.starts_with(name); };
  const auto* const first = std::ranges::find_if(kOptions, matches);
  if (name.empty() || first == kOptions.end()) return nullptr;
  return std::ranges::count_if(kOptions, matches) == 1 ? &*first : nullptr;
}

const Option* find_letter(char letter) {
  const auto* const found = std::ranges::find(kOptions, letter, &Option::letter);
  return found == kOptions.end() ? nullptr : &*found;
}

class Parser {
 public:
  explicit Parser(std::span<const std::string> arguments) : arguments_(arguments) {}

  std::vector<LvcreateArgument> parse() && {
    bool options_ended = false;
    for (; index_ < arguments_.size(); ++index_) {
      const std::string_view argument = arguments_[index_];
      if (options_ended || !argument.starts_with('-') || argument == "-") {
        add({.kind = ArgumentKind::kOperand, .value = argument, .index = index_});
      } else if (argument == "--") {
        options_ended = true;
        add({.index = index_});
      } else if (argument.starts_with("--")) {
        parse_long(argument.substr(2));
      } else {
        parse_letters(argument.substr(1));
      }
    }
    return std::move(items_);
  }

 private:
  void add(LvcreateArgument item) { items_.push_back(item); }

  void add(const Option& option, std::string_view value) {
    add({.kind = ArgumentKind::kOption,
         .option = option.name,
         .value = value,
         .index = index_,
         .affects_space = option.effect == Effect::kSpace});
  }

  void parse_long(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const bool has_value = equals != std::string_view::npos;
    const Option* const option = find_long(argument.substr(0, equals));
    if (option == nullptr || (has_value && !option->takes_value))
      add({.index = index_});
    else if (has_value)
      add(*option, argument.substr(equals + 1));
    else
      add_with_next_argument(*option);
  }

  void parse_letters(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const Option* const option = find_letter(letters[i]);
      if (option == nullptr) return add({.index = index_});
      const std::string_view rest = letters.substr(i + 1);
      if (option->takes_value && !rest.empty()) return add(*option, rest);
      add_with_next_argument(*option);
    }
  }

  void add_with_next_argument(const Option& option) {
    if (!option.takes_value) return add(option, {});
    if (index_ + 1 == arguments_.size()) return add({.option = option.name, .index = index_});
    add(option, arguments_[index_ + 1]);
    ++index_;
  }

  std::span<const std::string> arguments_;
  std::size_t index_ = 0;
  std::vector<LvcreateArgument> items_;
};

}  // namespace

std::vector<LvcreateArgument> parse_lvcreate_arguments(std::span<const std::string> arguments) {
  return Parser{arguments}.parse();
}

}  // namespace lvmd::model
