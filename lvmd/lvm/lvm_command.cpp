#include "lvmd/lvm/lvm_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lvmd/model/device_filter.hpp"

namespace lvmd::lvm {
namespace {

// lvm2_run splits at isspace() and reads '"' and '\'' as quotes.
bool can_split_a_line(char c) {
  return c <= ' ' || c == '"' || c == '\'' || c == '\\' || c == '\x7f';
}

}  // namespace

LvmCommand& LvmCommand::flag(std::string_view argument) {
  add(argument, Origin::kLvmd);
  return *this;
}

LvmCommand& LvmCommand::option(std::string_view name, std::string_view value) {
  add(name, Origin::kLvmd);
  add(value, Origin::kCaller);
  return *this;
}

LvmCommand& LvmCommand::assignment(std::string_view name, std::string_view value) {
  add(fmt::format("{}={}", name, value), Origin::kLvmd);
  return *this;
}

LvmCommand& LvmCommand::operand(std::string_view value) {
  add(value, Origin::kCaller);
  last_operand_ = value;
  return *this;
}

LvmCommand& LvmCommand::configured(std::span<const std::string> arguments) {
  for (const std::string& argument : arguments) add(argument, Origin::kConfiguration);
  return *this;
}

LvmCommand& LvmCommand::config(std::string_view value) {
  add("--config", Origin::kLvmd);
  add(value, Origin::kSettings);
  return *this;
}

LvmCommand& LvmCommand::only_devices(std::span<const std::string> paths) {
  devices_.clear();
  device_settings_.clear();
  if (paths.empty()) return *this;
  if (auto settings = model::only_devices(paths)) {
    devices_.assign(paths.begin(), paths.end());
    device_settings_ = std::move(*settings);
  }
  return *this;
}

LvmCommand LvmCommand::with_options() const {
  LvmCommand complete{*this};
  if (!waits_for_udev_) complete.flag("--noudevsync");
  return complete;
}

std::string LvmCommand::settings() const {
  std::string settings = "global{wait_for_locks=0}activation{monitoring=1}";
  // A section for each setting: arguments contain no blanks.
  if (!backs_up_metadata_) settings += "backup{backup=0}backup{archive=0}";
  if (!notifies_dbus_) settings += "global{notify_dbus=0}";
  return settings + device_settings_;
}

LvmCommand& LvmCommand::without_udev_sync() {
  waits_for_udev_ = false;
  return *this;
}

LvmCommand& LvmCommand::without_metadata_backup() {
  backs_up_metadata_ = false;
  return *this;
}

LvmCommand& LvmCommand::without_dbus_notification() {
  notifies_dbus_ = false;
  return *this;
}

LvmCommand& LvmCommand::wiped_by_caller() {
  wipe_options_ = arguments_.size();
  return option("-W", "n").option("-Z", "n").without_udev_sync();
}

LvmCommand& LvmCommand::wiped_by_lvm() {
  if (!wipe_options_) return *this;
  arguments_.at(*wipe_options_ + 1) = arguments_.at(*wipe_options_ + 3) = "y";
  wipe_options_.reset();
  waits_for_udev_ = true;
  return *this;
}

std::string LvmCommand::summary() const {
  return last_operand_.empty() ? arguments_.front()
                               : fmt::format("{} {}", arguments_.front(), last_operand_);
}

Result<std::span<const std::string>> LvmCommand::arguments() const {
  if (error_) return std::unexpected(*error_);
  if (arguments_.size() > kMaxArguments)
    return fail(Code::kInvalidArgument,
                "the {} command would have {} arguments, LVM accepts at most {}: use fewer tags or "
                "options",
                arguments_.front(), arguments_.size(), kMaxArguments);
  return arguments_;
}

Result<std::string> LvmCommand::line() const {
  const auto all = arguments();
  if (!all) return std::unexpected(all.error());
  return fmt::format("{}", fmt::join(*all, " "));
}

void LvmCommand::add(std::string_view argument, Origin origin) {
  const auto splits = [origin](char c) {
    // lvm2_run reads a quote as one only at the start of an argument.
    return can_split_a_line(c) && (origin != Origin::kSettings || c != '"');
  };
  if (!error_ && (argument.empty() || std::ranges::any_of(argument, splits)))
    error_ = make_error(Code::kInvalidArgument,
                        "\"{}\" cannot be an argument of an LVM command: it is empty or contains "
                        "white space, a quote, a backslash or a control character",
                        argument);
  // lvm2_run ignores an argument that begins with '#', and the rest of the line.
  if (!error_ && argument.front() == '#')
    error_ = make_error(Code::kInvalidArgument,
                        "\"{}\" begins with '#': LVM would read it as a comment", argument);
  if (!error_ && origin == Origin::kCaller && argument.front() == '-')
    error_ = make_error(Code::kInvalidArgument,
                        "\"{}\" begins with '-': LVM would read it as an option", argument);
  arguments_.emplace_back(argument);
}

}  // namespace lvmd::lvm
