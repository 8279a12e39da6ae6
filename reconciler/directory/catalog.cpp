#include "reconciler/directory/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvmd::reconciler::directory {
namespace {

using Documents = std::map<Key, std::vector<const Manifest*>>;

Documents by_identity(const FolderReading& reading) {
  Documents documents;
  for (const Manifest& manifest : reading.manifests)
    documents[manifest.object.key].push_back(&manifest);
  return documents;
}

// [R-NODE-1]
bool is_ours(const std::vector<const Manifest*>& documents, const std::string& node_name) {
  return std::ranges::any_of(documents, [&](const Manifest* manifest) {
    const std::string& node = manifest->object.spec.node_name;
    return node.empty() || node == node_name;
  });
}

LogicalVolume object_of(const std::vector<const Manifest*>& documents) {
  const Manifest& first = *documents.front();
  LogicalVolume object = first.object;
  if (documents.size() > 1)  // [R-DOC-5]
    object.defect = make_error(Code::kInvalidArgument,
                               "{} is described by more than one document, in {} and {}: keep one",
                               to_string(object.key), first.file, documents.back()->file);
  object.removal_wanted = first.absent && !object.defect;
  return object;
}

void apply_record(LogicalVolume& object, const Record& record) {
  object.uid = record.uid;
  object.has_finalizer = true;
  object.created = record.created;
  object.removal_begun = record.removing;
  object.restore_from = record.restore_from;
  if (record.removing) {  // [R-REC-4]
    object.removal_wanted = true;
    object.defect.reset();
  } else if (!object.defect && !object.spec.device_class.empty() &&
             object.spec.device_class != record.device_class) {  // [R-DOC-7]
    object.defect = make_error(Code::kFailedPrecondition,
                               "spec.deviceClass is \"{}\", but the volume was created in \"{}\" "
                               "and cannot move: change it back",
                               object.spec.device_class, record.device_class);
    object.removal_wanted = false;
  }
  object.spec.device_class = record.device_class;
}

// [R-REC-5]
void apply_broken_record(LogicalVolume& object, const Error& error) {
  object.defect = error;
  object.removal_wanted = false;
}

LogicalVolume object_without_document(const Key& key) {
  LogicalVolume object;
  object.key = key;
  object.has_metadata = true;
  return object;
}

LogicalVolume object_from_record(const Record& record) {
  LogicalVolume object = object_without_document(record.key);
  object.spec.device_class = record.device_class;
  object.removal_wanted = true;
  apply_record(object, record);
  return object;
}

void add_missing(Catalog& catalog, const Record& record, const Situation& situation, Gaps& gaps) {
  if (!situation.hold.empty()) {
    gaps.erase(record.key);
    catalog.missing[record.key] =
        fmt::format("its manifest is missing; the volume stays: {}", situation.hold);
    return;
  }
  const Time due =
      gaps.try_emplace(record.key, situation.now).first->second + situation.delete_after;
  if (due <= situation.now) {
    catalog.objects[record.key] = object_from_record(record);
    return;
  }
  catalog.missing[record.key] = fmt::format(
      "its manifest is missing: the volume is removed unless the manifest is restored within {} s",
      static_cast<double>(situation.delete_after.count()) / 1000);
  catalog.next_due = std::min(catalog.next_due.value_or(due), due);
}

}  // namespace

Catalog make_catalog(const FolderReading& reading, const StateContents& state,
                     const Situation& situation, Gaps& gaps) {
  Catalog catalog;
  const Documents documents = by_identity(reading);
  for (const auto& [key, same] : documents)
    if (is_ours(same, situation.node_name)) catalog.objects[key] = object_of(same);
  for (const auto& [key, record] : state.records) {
    if (const auto object = catalog.objects.find(key); object != catalog.objects.end())
      apply_record(object->second, record);
    else if (record.removing)
      catalog.objects[key] = object_from_record(record);
    else if (!documents.contains(key)) {  // [R-DEL-5]
      add_missing(catalog, record, situation, gaps);
      continue;
    }
    gaps.erase(key);
  }
  for (const auto& [key, error] : state.broken_records)
    apply_broken_record(
        catalog.objects.try_emplace(key, object_without_document(key)).first->second, error);
  for (auto& [key, object] : catalog.objects)
    if (const auto status = state.statuses.find(key); status != state.statuses.end())
      object.status = status->second;
  std::erase_if(gaps, [&](const auto& gap) { return !state.records.contains(gap.first); });
  return catalog;
}

std::size_t count_wanted(const FolderReading& reading, const StateContents& state,
                         const std::string& node_name) {
  const Documents documents = by_identity(reading);
  return static_cast<std::size_t>(std::ranges::count_if(documents, [&](const auto& entry) {
    const auto& [key, same] = entry;
    const auto record = state.records.find(key);
    const bool removing = record != state.records.end() && record->second.removing;
    return is_ours(same, node_name) && !removing && !same.front()->absent;
  }));
}

std::size_t count_recorded(const StateContents& state) {
  return static_cast<std::size_t>(std::ranges::count_if(
      state.records, [](const auto& entry) { return !entry.second.removing; }));
}

std::vector<Key> stale_statuses(const FolderReading& reading, const StateContents& state) {
  const Documents documents = by_identity(reading);
  std::vector<Key> stale;
  for (const auto& [key, status] : state.statuses)
    if (!documents.contains(key) && !state.records.contains(key) &&
        !state.broken_records.contains(key))
      stale.push_back(key);
  return stale;
}

}  // namespace lvmd::reconciler::directory
