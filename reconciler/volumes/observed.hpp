// What lvmd and the store have told about an object since planning for it began.
#pragma once

#include <optional>
#include <string>

#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"
#include "reconciler/volumes/device_class.hpp"
#include "reconciler/volumes/online_snapshot.hpp"
#include "reconciler/volumes/source.hpp"

namespace lvmd::reconciler {

// The answer to a look-up; absent in it: there is none.
template <typename T>
struct LookedUp {
  std::optional<T> found{};
};

// Empty at first: plan() asks for what it needs.
struct Observed {
  // The device classes of spec.vgName, or the default class, once they were asked for.
  std::optional<Classes> classes{};
  // GetLVList was answered.
  bool looked_up = false;
  // The volume's real size, from whichever call told it; absent: no volume seen.
  std::optional<Bytes> size{};
  // The object of spec.source, once it was looked for.
  std::optional<Source> source{};
  // RemoveLV was answered OK or NOT_FOUND.
  bool removed = false;
  // The volume of an object that is given up has no owner any more [R-DELETE-5].
  bool owner_cleared = false;
  // The wish has changed since the status was written [R-FAIL-11].
  bool renewed = false;

  // Online snapshots; the rest is looked at only when they are enabled.
  OnlineRules online{};
  // The snapshot classes of the source and of the object itself, once they were looked for.
  std::optional<LookedUp<SnapshotClass>> source_class{};
  std::optional<LookedUp<SnapshotClass>> own_class{};
  std::optional<LookedUp<PersistentVolume>> persistent_volume{};
  // LocationSettings::location, once the storage was read.
  std::optional<std::string> location_base{};
  // As lvmd told it last.
  std::optional<Transfer> transfer{};
  // lvmd doesn't know it (any more).
  bool transfer_unknown = false;
  // The last write of progress is long enough ago [R-ONLINE-7].
  bool progress_due = false;
  // The time before the next attempt is over [R-ONLINE-6].
  bool retry_due = false;
  // RemoveLV of a snapshot that is stored was answered OK or NOT_FOUND.
  bool cleaned = false;
};

}  // namespace lvmd::reconciler
