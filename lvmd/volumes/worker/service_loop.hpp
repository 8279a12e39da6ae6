// The worker's loop: one thread, one queue, two channels.
//
// The loop first resumes suspended devices and sends the group's state. Then it handles requests,
// and between them finishes open intents and repairs volumes. It reads the control channel before
// each request, so that it plans with the newest configuration. It reads the messages of kernel and
// udev at once, because their queue is small.
//
// LVM commits a new volume before the volume is blank. So the loop sends the volume's name to the
// server before the LVM command, and waits at most 5 s for the acknowledgement. The server hides
// the volume until the reply.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/state_stream.hpp"
#include "lvmd/volumes/worker/event_sink.hpp"
#include "lvmd/volumes/worker/volume_group_owner.hpp"

namespace lvmd::volumes::worker {

class ServiceLoop final : private WorkerEventSink {
 public:
  struct Channels {
    ipc::Channel control;
    ipc::Channel server;
  };

  ServiceLoop(VolumeGroupOwner::Setup setup, lvm::LvmRunner& lvm, Channels channels);

  // Serves until the supervisor or the server closes its channel. Does not interrupt an LVM
  // command. An Error if a channel fails in another way. Call once.
  [[nodiscard]] Status run();

 private:
  enum class Next { kContinue, kStop };
  // Waits for an event and handles it.
  [[nodiscard]] Result<Next> next_event();
  [[nodiscard]] Result<Next> on_control();
  // Handles all frames that are in the control channel.
  [[nodiscard]] Result<Next> drain_control();
  [[nodiscard]] Status take_configuration(const internal::Configuration& configuration);
  [[nodiscard]] Result<Next> on_server();

  [[nodiscard]] Result<Next> handle(const internal::WorkerRequest& request);
  // Handles the server's message that the group has become usable.
  [[nodiscard]] Result<Next> on_recover();
  [[nodiscard]] ChangeOutcome execute(const internal::WorkerRequest& request);
  [[nodiscard]] Status send_state(model::VgState state);
  // The timeout for poll(2), in milliseconds; -1: no limit.
  [[nodiscard]] int limit_until(std::optional<std::chrono::milliseconds> due) const;
  void postpone_trim();
  // Returns memory to the kernel, if that is due.
  void trim();
  // Does one step of the work between requests, and reports a change to the server.
  [[nodiscard]] Result<Next> work();
  // Sends the hidden volumes and the group's current state to the server.
  [[nodiscard]] Status report();
  [[nodiscard]] Status send_hidden(const std::vector<std::string>& volumes);

  void step_started(std::string_view what, std::optional<std::chrono::seconds> limit) override;
  void step_ended() override;
  void hidden_changed(const std::vector<std::string>& volumes) override;

  std::string volume_group_;
  Channels channels_;
  // Of channels_.server.
  ipc::StateWriter states_;
  VolumeGroupOwner owner_;
  // Requests that arrived while hidden_changed() waited for an acknowledgement.
  std::deque<internal::WorkerRequest> deferred_;
  // When memory is unlocked and free memory returned to the kernel; absent: it was.
  std::optional<std::chrono::steady_clock::time_point> trim_due_;
  // The number of lists of hidden volumes that the server has not acknowledged.
  int unacknowledged_ = 0;
};

}  // namespace lvmd::volumes::worker
