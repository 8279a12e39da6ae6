// What the reconciler asks of lvmd. Codes and rules: docs/protocol.md.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {

// A volume by its name and device class; an empty class is lvmd's default class.
struct VolumeName {
  std::string name;
  std::string device_class;
};

// Every call may be made from every thread, blocks until lvmd answers, and answers lvmd's code and
// message on failure; Unavailable when lvmd can't be reached.
class VolumeService {
 public:
  VolumeService() = default;
  VolumeService(const VolumeService&) = delete;
  VolumeService& operator=(const VolumeService&) = delete;
  virtual ~VolumeService() = default;

  // The real size of the volume, or nothing when the class has no such volume.
  [[nodiscard]] virtual Result<std::optional<Bytes>> find(const VolumeName& volume) = 0;

  // The real size. `option_class` may be empty.
  [[nodiscard]] virtual Result<Bytes> create(const VolumeName& volume,
                                             const std::string& option_class, Bytes size) = 0;

  // The real size afterwards; never shrinks.
  [[nodiscard]] virtual Result<Bytes> resize(const VolumeName& volume, Bytes size) = 0;

  // NotFound when it is gone already.
  [[nodiscard]] virtual Status remove(const VolumeName& volume) = 0;

  // Ends every call under way with Cancelled, and all later ones. lvmd finishes what it began.
  virtual void cancel() = 0;
};

}  // namespace lvmd::reconciler
