// The worker's loop: one thread, one queue, two channels.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/channel/channel.hpp"
#include "lvmd/worker/listener.hpp"
#include "lvmd/worker/volume_group_owner.hpp"

namespace lvmd::worker {

class ServiceLoop final : private Listener {
 public:
  struct Channels {
    channel::Channel control;
    channel::Channel server;
  };

  ServiceLoop(VolumeGroupOwner::Setup setup, lvm::LvmRunner& lvm, Channels channels);

  // Serves until the supervisor or the server closes its channel; a running command ends first.
  // An Error when a channel breaks otherwise.
  [[nodiscard]] Status run();

 private:
  enum class Next { kGoOn, kLeave };
  // Waits for one, and deals with it.
  [[nodiscard]] Result<Next> next_event();
  [[nodiscard]] Result<Next> on_control();
  // Everything that waits on the control channel.
  [[nodiscard]] Result<Next> drain_control();
  [[nodiscard]] Status take_configuration(const internal::Configuration& configuration);
  [[nodiscard]] Result<Next> on_server();

  [[nodiscard]] Result<Next> handle(const internal::WorkerRequest& request);
  [[nodiscard]] Outcome execute(const internal::WorkerRequest& request);
  [[nodiscard]] Status send_state(const model::VgState& state);
  // Finishes what was left half done; the server is told the outcome.
  [[nodiscard]] Status recover();

  void step_started(std::string_view what, std::optional<std::chrono::seconds> limit) override;
  void step_ended() override;
  void masked(const std::vector<std::string>& volumes) override;

  std::string volume_group_;
  Channels channels_;
  VolumeGroupOwner owner_;
  // Requests that came while another frame was waited for.
  std::deque<internal::WorkerRequest> deferred_;
  // Memory that is free has gone back to the kernel since the last event.
  bool rested_ = false;
};

}  // namespace lvmd::worker
