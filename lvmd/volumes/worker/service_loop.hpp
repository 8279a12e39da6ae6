// The worker's loop: one thread, one queue, two channels.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/volumes/worker/listener.hpp"
#include "lvmd/volumes/worker/volume_group_owner.hpp"

namespace lvmd::volumes::worker {

class ServiceLoop final : private Listener {
 public:
  struct Channels {
    ipc::Channel control;
    ipc::Channel server;
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
  // The group has become usable.
  [[nodiscard]] Result<Next> on_recover();
  [[nodiscard]] Outcome execute(const internal::WorkerRequest& request);
  [[nodiscard]] Status send_state(const model::VgState& state);
  // How long to wait for an event, in poll(2)'s terms.
  [[nodiscard]] int limit_until(std::optional<std::chrono::milliseconds> due) const;
  // One thing of what is to be done between requests; the server is told the outcome.
  [[nodiscard]] Result<Next> work();
  // Tells the server which volumes are hidden, and the group's state as it is now.
  [[nodiscard]] Status tell();
  [[nodiscard]] Status send_hidden(const std::vector<std::string>& volumes);

  void step_started(std::string_view what, std::optional<std::chrono::seconds> limit) override;
  void step_ended() override;
  void hidden(const std::vector<std::string>& volumes) override;

  std::string volume_group_;
  Channels channels_;
  VolumeGroupOwner owner_;
  // Requests that came while another frame was waited for.
  std::deque<internal::WorkerRequest> deferred_;
  // Memory that is free has gone back to the kernel since the last event.
  bool rested_ = false;
  // Sets of hidden volumes that the server has not said yet to have taken.
  int hidden_unacknowledged_ = 0;
};

}  // namespace lvmd::volumes::worker
