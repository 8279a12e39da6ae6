// The worker's loop: one thread, one queue, three channels.
#pragma once

#include <string>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/channel/channel.hpp"
#include "lvmd/worker/volume_group_owner.hpp"

namespace lvmd::worker {

class ServiceLoop {
 public:
  struct Channels {
    channel::Channel control;
    channel::Channel server;
    channel::Channel observer;
  };

  ServiceLoop(const internal::WorkerSetup& setup, model::ClassCatalog catalog, lvm::LvmRunner& lvm,
              Channels channels);

  // Serves until the supervisor or the server closes its channel; a running command ends first.
  // An Error when a channel breaks otherwise.
  [[nodiscard]] Status run();

 private:
  enum class Next { kGoOn, kLeave };
  [[nodiscard]] Result<Next> on_control();
  [[nodiscard]] Result<Next> on_server();
  void on_observer();

  [[nodiscard]] Outcome execute(const internal::WorkerRequest& request);
  [[nodiscard]] Status send_state(const model::VgState& state);
  void send_devices();
  void announce(std::string_view command);

  std::string volume_group_;
  Channels channels_;
  VolumeGroupOwner owner_;
};

}  // namespace lvmd::worker
