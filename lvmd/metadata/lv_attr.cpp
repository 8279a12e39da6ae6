#include "lvmd/metadata/lv_attr.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace lvmd::metadata {
namespace {

using Snapshot = LvCondition::Snapshot;

bool is_any(const LvMetadata& lv, std::initializer_list<LvMark> marks) {
  return std::ranges::any_of(marks, [&lv](LvMark mark) { return lv.is(mark); });
}

// What a volume is by its own segments. A cache hides what lies under it.
char own_type(const LvMetadata& lv) {
  switch (lv.kind) {
    case LvKind::kCache:
    case LvKind::kCachePool:
    case LvKind::kWritecache:
      return 'C';
    case LvKind::kRaid:
      return lv.is(LvMark::kNotSynced) ? 'R' : 'r';
    case LvKind::kMirror:
      return lv.is(LvMark::kNotSynced) ? 'M' : 'm';
    case LvKind::kThin:
      if (lv.is(LvMark::kMergingOrigin)) return 'O';
      return lv.is(LvMark::kMergingSnapshot) ? 'S' : 'V';
    case LvKind::kThinPool:
      return 't';
    case LvKind::kPlain:
    case LvKind::kSnapshotPair:
      break;
  }
  return lv.is(LvMark::kVirtual) ? 'v' : '-';
}

// What a plain volume is as a part of another one.
char part_type(const LvMetadata& lv, bool in_sync) {
  if (lv.is(LvMark::kThinPoolData)) return 'T';
  if (lv.is(LvMark::kMirrorImage)) return in_sync ? 'i' : 'I';
  // A visible image was split off, to be tracked: it is never in sync.
  if (lv.is(LvMark::kRaidImage)) return in_sync && !lv.visible ? 'i' : 'I';
  if (lv.is(LvMark::kMirrorLog)) return 'l';
  if (lv.is(LvMark::kCowStore)) return lv.is(LvMark::kMergingSnapshot) ? 'S' : 's';
  return is_any(lv, {LvMark::kCacheOrigin, LvMark::kWritecacheOrigin}) ? 'o' : '-';
}

// A volume can be several things at once; the order is LVM's.
char volume_type(const LvMetadata& lv, bool in_sync) {
  if (lv.is(LvMark::kPvmove)) return 'p';
  if (lv.is(LvMark::kConverting)) return 'c';
  if (is_any(lv, {LvMark::kSnapshotOrigin, LvMark::kExternalOrigin}))
    return lv.is(LvMark::kMergingOrigin) ? 'O' : 'o';
  if (is_any(lv, {LvMark::kThinPoolMetadata, LvMark::kCachePoolMetadata, LvMark::kPoolSpare,
                  LvMark::kRaidMetadata}))
    return 'e';
  if (is_any(lv, {LvMark::kCacheVolume, LvMark::kCachePoolData})) return 'C';
  const char own = own_type(lv);
  return own != '-' ? own : part_type(lv, in_sync);
}

char permissions(const LvMetadata& lv, const std::optional<model::DeviceState>& device) {
  char letter = '-';
  if (!lv.is(LvMark::kPvmove) && lv.writable)
    letter = 'w';
  else if (!lv.is(LvMark::kPvmove) && lv.readable)
    letter = 'r';
  // Activated read-only although the metadata allows writing.
  return letter != 'r' && device && device->read_only ? 'R' : letter;
}

char allocation(const LvMetadata& lv) {
  return lv.is(LvMark::kLocked)
             ? static_cast<char>(std::toupper(static_cast<unsigned char>(lv.allocation)))
             : lv.allocation;
}

char state(const std::optional<model::DeviceState>& device, const LvCondition& condition) {
  if (!device) return '-';
  if (condition.needs_check) return device->suspended ? 'C' : 'c';
  if (device->live_table && condition.snapshot == Snapshot::kInvalid)
    return device->suspended ? 'S' : 'I';
  if (device->live_table && condition.snapshot == Snapshot::kMergeFailed)
    return device->suspended ? 'M' : 'm';
  if (device->suspended) return 's';
  if (device->live_table) return 'a';
  return device->inactive_table ? 'i' : 'd';
}

char target_type(const LvMetadata& lv) {
  if (lv.kind == LvKind::kThin || lv.kind == LvKind::kThinPool) return 't';
  if (lv.kind == LvKind::kCache || lv.kind == LvKind::kCachePool ||
      lv.kind == LvKind::kWritecache ||
      is_any(lv, {LvMark::kCacheVolume, LvMark::kCacheOrigin, LvMark::kWritecacheOrigin}))
    return 'C';
  if (lv.kind == LvKind::kRaid || is_any(lv, {LvMark::kRaidImage, LvMark::kRaidMetadata}))
    return 'r';
  if (lv.kind == LvKind::kMirror ||
      is_any(lv, {LvMark::kMirrorImage, LvMark::kMirrorLog, LvMark::kPvmove}))
    return 'm';
  if (is_any(lv, {LvMark::kCowStore, LvMark::kSnapshotOrigin})) return 's';
  return lv.is(LvMark::kVirtual) ? 'v' : '-';
}

}  // namespace

std::string lv_attr(const LvMetadata& lv, const std::optional<model::DeviceState>& device,
                    const LvCondition& condition, bool zeroes_blocks) {
  const bool is_thin = lv.kind == LvKind::kThin || lv.kind == LvKind::kThinPool;
  return {
      volume_type(lv, condition.in_sync),
      permissions(lv, device),
      allocation(lv),
      lv.fixed_minor ? 'm' : '-',
      state(device, condition),
      device && device->open_count > 0 ? 'o' : '-',
      target_type(lv),
      is_thin && zeroes_blocks ? 'z' : '-',
      lv.partial ? 'p' : condition.health,
      lv.activation_skip ? 'k' : '-',
  };
}

}  // namespace lvmd::metadata
