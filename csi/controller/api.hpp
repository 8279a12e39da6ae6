// The messages of the Container Storage Interface.
#pragma once

#include "csi.pb.h"

namespace lvmd::controller {

namespace api = ::csi::v1;

}  // namespace lvmd::controller
