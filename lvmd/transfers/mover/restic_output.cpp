#include "lvmd/transfers/mover/restic_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace lvmd::transfers::mover {
namespace {

using Json = nlohmann::json;

// Returns null when the text is not JSON.
Json parse(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? Json{} : json;
}

std::string text_of(const Json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

// restic omits fields with the value 0.
std::uint64_t number_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

Snapshot snapshot_of(const Json& object) {
  Snapshot snapshot{.id = text_of(object, "id"), .time = text_of(object, "time"), .tags = {}};
  if (const auto tags = object.find("tags"); tags != object.end() && tags->is_array())
    for (const Json& tag : *tags)
      if (tag.is_string()) snapshot.tags.push_back(tag.get<std::string>());
  return snapshot;
}

bool is_id(std::string_view id) {
  return id.size() == 64 && std::ranges::all_of(id, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

OutputMessage parse_output(std::string_view line) {
  const Json message = parse(line);
  const std::string type = text_of(message, "message_type");
  if (type == "status") {
    // A backup reports what is done, a restore what it restored and what it skipped.
    return StatusMessage{
        .total_files = number_of(message, "total_files"),
        .done_files = number_of(message, "files_done") + number_of(message, "files_restored") +
                      number_of(message, "files_skipped"),
        .total_bytes = number_of(message, "total_bytes"),
        .done_bytes = number_of(message, "bytes_done") + number_of(message, "bytes_restored") +
                      number_of(message, "bytes_skipped")};
  }
  if (type != "summary") return {};
  if (message.contains("snapshot_id"))
    return BackupSummary{.snapshot_id = text_of(message, "snapshot_id"),
                         .files = number_of(message, "total_files_processed"),
                         .bytes = number_of(message, "total_bytes_processed")};
  if (message.contains("data_blobs")) return {};
  return RestoreSummary{.total_files = number_of(message, "total_files"),
                        .total_bytes = number_of(message, "total_bytes"),
                        .skipped_files = number_of(message, "files_skipped"),
                        .skipped_bytes = number_of(message, "bytes_skipped"),
                        .restored_bytes = number_of(message, "bytes_restored")};
}

ErrorLine parse_error_line(std::string_view line) {
  const Json message = parse(line);
  const std::string type = text_of(message, "message_type");
  if (type == "exit_error") return {.text = text_of(message, "message")};
  if (type != "error") return {.text = message.is_object() ? std::string{} : std::string{line}};
  // The messages of `check` contain the text directly.
  std::string text = text_of(message, "message");
  if (const auto error = message.find("error"); error != message.end())
    text = text_of(*error, "message");
  const std::string item = text_of(message, "item");
  if (item.empty()) return {.text = text};
  return {.text = text.contains(item) ? text : fmt::format("{}: {}", item, text),
          .about_file = true};
}

Result<std::vector<Snapshot>> parse_snapshots(std::string_view text) {
  const Json list = parse(text);
  // The output without any snapshot is "null".
  if (!list.is_array() && !(list.is_null() && text.contains("null")))
    return fail(Code::kInternal, "cannot parse the list of snapshots from restic");
  std::vector<Snapshot> snapshots;
  for (const Json& item : list) {
    Snapshot snapshot = item.is_object() ? snapshot_of(item) : Snapshot{};
    if (!is_id(snapshot.id))
      return fail(Code::kInternal, "the list of snapshots from restic contains one without an id");
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

Result<Snapshot> parse_snapshot(std::string_view text) {
  const Json object = parse(text);
  if (!object.is_object()) return fail(Code::kInternal, "cannot parse the snapshot from restic");
  return snapshot_of(object);
}

Result<RepositoryLock> parse_lock(std::string_view text) {
  const Json object = parse(text);
  if (!object.is_object()) return fail(Code::kInternal, "cannot parse the lock from restic");
  const auto pid = object.find("pid");
  return RepositoryLock{
      .hostname = text_of(object, "hostname"),
      .pid = pid != object.end() && pid->is_number_integer() ? pid->get<std::int64_t>() : 0};
}

std::vector<std::string> parse_ids(std::string_view text) {
  std::vector<std::string> ids;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (is_id(text.substr(0, end))) ids.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

}  // namespace lvmd::transfers::mover
