#include "lvmd/state/lv_attr.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace lvmd::state {
namespace {

using Snapshot = LvCondition::Snapshot;

bool is_any(const metadata::LvMetadata& lv, std::initializer_list<metadata::LvMark> marks) {
  return std::ranges::any_of(marks, [&lv](metadata::LvMark mark) { return lv.is(mark); });
}

// The letter for the volume's own segments. A cache hides the type below it.
char own_type(const metadata::LvMetadata& lv) {
  switch (lv.kind) {
    case metadata::LvKind::kCache:
    case metadata::LvKind::kCachePool:
    case metadata::LvKind::kWritecache:
      return 'C';
    case metadata::LvKind::kRaid:
      return lv.is(metadata::LvMark::kNotSynced) ? 'R' : 'r';
    case metadata::LvKind::kMirror:
      return lv.is(metadata::LvMark::kNotSynced) ? 'M' : 'm';
    case metadata::LvKind::kThin:
      if (lv.is(metadata::LvMark::kMergingOrigin)) return 'O';
      return lv.is(metadata::LvMark::kMergingSnapshot) ? 'S' : 'V';
    case metadata::LvKind::kThinPool:
      return 't';
    case metadata::LvKind::kPlain:
    case metadata::LvKind::kSnapshotPair:
      break;
  }
  return lv.is(metadata::LvMark::kVirtual) ? 'v' : '-';
}

// The letter for a plain volume that is a part of another volume.
char part_type(const metadata::LvMetadata& lv, bool in_sync) {
  if (lv.is(metadata::LvMark::kThinPoolData)) return 'T';
  if (lv.is(metadata::LvMark::kMirrorImage)) return in_sync ? 'i' : 'I';
  // A visible image was split off with tracking. It is never in sync.
  if (lv.is(metadata::LvMark::kRaidImage)) return in_sync && !lv.visible ? 'i' : 'I';
  if (lv.is(metadata::LvMark::kMirrorLog)) return 'l';
  if (lv.is(metadata::LvMark::kCowStore))
    return lv.is(metadata::LvMark::kMergingSnapshot) ? 'S' : 's';
  return is_any(lv, {metadata::LvMark::kCacheOrigin, metadata::LvMark::kWritecacheOrigin}) ? 'o'
                                                                                           : '-';
}

// A volume can have several roles. The order is that of LVM.
char volume_type(const metadata::LvMetadata& lv, bool in_sync) {
  if (lv.is(metadata::LvMark::kPvmove)) return 'p';
  if (lv.is(metadata::LvMark::kConverting)) return 'c';
  if (is_any(lv, {metadata::LvMark::kSnapshotOrigin, metadata::LvMark::kExternalOrigin}))
    return lv.is(metadata::LvMark::kMergingOrigin) ? 'O' : 'o';
  if (is_any(lv, {metadata::LvMark::kThinPoolMetadata, metadata::LvMark::kCachePoolMetadata,
                  metadata::LvMark::kPoolSpare, metadata::LvMark::kRaidMetadata}))
    return 'e';
  if (is_any(lv, {metadata::LvMark::kCacheVolume, metadata::LvMark::kCachePoolData})) return 'C';
  const char own = own_type(lv);
  return own != '-' ? own : part_type(lv, in_sync);
}

char permissions(const metadata::LvMetadata& lv, const std::optional<model::DeviceState>& device) {
  char letter = '-';
  if (!lv.is(metadata::LvMark::kPvmove) && lv.writable)
    letter = 'w';
  else if (!lv.is(metadata::LvMark::kPvmove) && lv.readable)
    letter = 'r';
  // 'R': the device is read-only although the metadata allows writing.
  return letter != 'r' && device && device->read_only ? 'R' : letter;
}

char allocation(const metadata::LvMetadata& lv) {
  return lv.is(metadata::LvMark::kLocked)
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

char target_type(const metadata::LvMetadata& lv) {
  if (lv.kind == metadata::LvKind::kThin || lv.kind == metadata::LvKind::kThinPool) return 't';
  if (lv.kind == metadata::LvKind::kCache || lv.kind == metadata::LvKind::kCachePool ||
      lv.kind == metadata::LvKind::kWritecache ||
      is_any(lv, {metadata::LvMark::kCacheVolume, metadata::LvMark::kCacheOrigin,
                  metadata::LvMark::kWritecacheOrigin}))
    return 'C';
  if (lv.kind == metadata::LvKind::kRaid ||
      is_any(lv, {metadata::LvMark::kRaidImage, metadata::LvMark::kRaidMetadata}))
    return 'r';
  if (lv.kind == metadata::LvKind::kMirror ||
      is_any(lv, {metadata::LvMark::kMirrorImage, metadata::LvMark::kMirrorLog,
                  metadata::LvMark::kPvmove}))
    return 'm';
  if (is_any(lv, {metadata::LvMark::kCowStore, metadata::LvMark::kSnapshotOrigin})) return 's';
  return lv.is(metadata::LvMark::kVirtual) ? 'v' : '-';
}

}  // namespace

std::string lv_attr(const metadata::LvMetadata& lv, const std::optional<model::DeviceState>& device,
                    const LvCondition& condition, bool zeroes_blocks) {
  const bool is_thin = lv.kind == metadata::LvKind::kThin || lv.kind == metadata::LvKind::kThinPool;
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

}  // namespace lvmd::state
