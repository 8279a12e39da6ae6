// The parameters of a StorageClass and of a VolumeSnapshotClass. Pure. Rules: C-PARAM-*.
#pragma once

#include <google/protobuf/map.h>

#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::controller {

using ParameterMap = google::protobuf::Map<std::string, std::string>;

struct VolumeParameters {
  // Empty: the default class of the node's lvmd.
  std::string device_class{};
  // Empty: none.
  std::string lvcreate_option_class{};
};

// InvalidArgument, naming the key, when a key that begins with "topolvm.io/" or
// "topolvm.cybozu.com/" is unknown, or the two prefixes have different values. Other keys are
// ignored, as by TopoLVM.
[[nodiscard]] Result<VolumeParameters> parse_volume_parameters(const ParameterMap& parameters);

// True if the snapshot is to be stored in a repository (docs/reconciler.md, section 12). Errors as
// above.
[[nodiscard]] Result<bool> wants_online_snapshot(const ParameterMap& parameters);

}  // namespace lvmd::controller
