#include "lvmd/lvm/lvm_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lvmd::lvm {
namespace {

// lvm2_run splits at isspace() and takes '"' and '\'' as quotes.
bool can_split_a_line(char c) {
  return c <= ' ' || c == '"' || c == '\'' || c == '\\' || c == '\x7f';
}

}  // namespace

LvmCommand& LvmCommand::flag(std::string_view word) {
  add(word, Origin::kOurs);
  return *this;
}

LvmCommand& LvmCommand::option(std::string_view name, std::string_view value) {
  add(name, Origin::kOurs);
  add(value, Origin::kCaller);
  return *this;
}

LvmCommand& LvmCommand::assignment(std::string_view name, std::string_view value) {
  add(fmt::format("{}={}", name, value), Origin::kOurs);
  return *this;
}

LvmCommand& LvmCommand::operand(std::string_view value) {
  add(value, Origin::kCaller);
  last_operand_ = value;
  return *this;
}

LvmCommand& LvmCommand::configured(std::span<const std::string> words) {
  for (const std::string& word : words) add(word, Origin::kConfiguration);
  return *this;
}

LvmCommand& LvmCommand::without_udev_sync() {
  waits_for_udev_ = false;
  return *this;
}

std::string LvmCommand::summary() const {
  return last_operand_.empty() ? words_.front()
                               : fmt::format("{} {}", words_.front(), last_operand_);
}

Result<std::span<const std::string>> LvmCommand::words() const {
  if (error_) return std::unexpected(*error_);
  if (words_.size() > kMaxWords)
    return fail(Code::kInvalidArgument,
                "the {} command would have {} words, LVM takes {}: use fewer tags or options",
                words_.front(), words_.size(), kMaxWords);
  return words_;
}

Result<std::string> LvmCommand::line() const {
  const auto all = words();
  if (!all) return std::unexpected(all.error());
  return fmt::format("{}", fmt::join(*all, " "));
}

void LvmCommand::add(std::string_view word, Origin origin) {
  if (!error_ && (word.empty() || std::ranges::any_of(word, can_split_a_line)))
    error_ = make_error(Code::kInvalidArgument,
                        "\"{}\" can't be a word of an LVM command: it is empty or has a blank, a "
                        "quote, a backslash or a control character",
                        word);
  // lvm2_run takes a word that begins with '#', and all behind it, for a comment.
  if (!error_ && word.front() == '#')
    error_ = make_error(Code::kInvalidArgument, "\"{}\" begins with '#'", word);
  if (!error_ && origin == Origin::kCaller && word.front() == '-')
    error_ = make_error(Code::kInvalidArgument, "\"{}\" begins with '-'", word);
  words_.emplace_back(word);
}

}  // namespace lvmd::lvm
