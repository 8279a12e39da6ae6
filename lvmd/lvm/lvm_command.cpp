#include "lvmd/lvm/lvm_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lvmd/model/device_filter.hpp"

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

LvmCommand& LvmCommand::config(std::string_view value) {
  add("--config", Origin::kOurs);
  add(value, Origin::kSettings);
  return *this;
}

LvmCommand& LvmCommand::only_devices(std::span<const std::string> paths) {
  devices_.assign(paths.begin(), paths.end());
  return *this;
}

std::string LvmCommand::settings() const {
  std::string settings = "global{wait_for_locks=0}activation{monitoring=1}";
  if (!waits_for_udev_) settings += "activation{udev_sync=0}";
  if (devices_.empty()) return settings;
  return settings + model::only_devices(devices_).value_or(std::string{});
}

LvmCommand& LvmCommand::without_udev_sync() {
  waits_for_udev_ = false;
  return *this;
}

LvmCommand& LvmCommand::wiped_by_caller() {
  wipe_words_ = words_.size();
  return option("-W", "n").option("-Z", "n").without_udev_sync();
}

LvmCommand& LvmCommand::wiped_by_lvm() {
  if (!wipe_words_) return *this;
  words_.at(*wipe_words_ + 1) = words_.at(*wipe_words_ + 3) = "y";
  wipe_words_.reset();
  waits_for_udev_ = true;
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
  const auto splits = [origin](char c) {
    // A quote splits a line only where a word begins.
    return can_split_a_line(c) && !(origin == Origin::kSettings && c == '"');
  };
  if (!error_ && (word.empty() || std::ranges::any_of(word, splits)))
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
