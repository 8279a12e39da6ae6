#include <memory>
#include <string>

#include "lvmd/v1/mount.grpc.pb.h"
#include "reconciler/lvmd_client/connection.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"

namespace lvmd::reconciler {
namespace {

VolumeUses to_uses(const v1::VolumesInUse& message) {
  VolumeUses uses{.csi_driver = message.csi_driver()};
  for (const v1::VolumeInUse& volume : message.volumes()) {
    // The name is the UID of one object. If two groups have it, CSI refuses it in both.
    VolumeUse& use = uses.volumes[volume.name()];
    use.staged = use.staged || volume.staged();
    use.publications += volume.publications();
    for (const v1::FailedCall& failure : volume.failures())
      use.failures.push_back(
          {.call = failure.call(), .reason = failure.reason(), .message = failure.message()});
  }
  return uses;
}

class VolumeUseClient final : public VolumeUseService {
 public:
  explicit VolumeUseClient(const std::string& socket_path)
      : lvmd_(socket_path, kCallLimit), mounts_(lvmd_.stub<v1::MountService>()) {}

  Status watch(const Callback& seen) override {
    return lvmd_.follow_states<v1::VolumesInUse>(
        [&](grpc::ClientContext& context) {
          return mounts_->Watch(&context, v1::WatchMountsRequest{});
        },
        [&](const v1::VolumesInUse& message) { seen(to_uses(message)); });
  }

  void stop() override { lvmd_.cancel_all(); }

 private:
  Connection lvmd_;
  std::unique_ptr<v1::MountService::Stub> mounts_;
};

}  // namespace

std::unique_ptr<VolumeUseService> make_volume_use_client(const std::string& socket_path) {
  return std::make_unique<VolumeUseClient>(socket_path);
}

}  // namespace lvmd::reconciler
