// The children of the supervisor and the channels between them.
//
//              server ◄──── observer (one per volume group)
//                ▲
//                └───────── worker (one per volume group)
//
// A child that ends is started again (P-RUN-6). Channels die with either end: workers and observers
// leave when the server's end closes, so a new server gets new ones.
//
// Every child is asked for a sign of life. One that does not answer is killed and started again,
// but not a worker that has announced a step: nobody is killed inside an LVM command. A child that
// hangs in the kernel dies later; its successor starts after that, and meanwhile its group alone
// suffers.
//
// Mounters come and go beside them: the server asks for one, and gets its channel.
//
// A reload reaches the workers first, then the server: a request that the server made by the new
// configuration finds it at its worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/clock.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/child.hpp"
#include "lvmd/supervisor/listeners.hpp"
#include "lvmd/supervisor/mounters.hpp"
#include "lvmd/supervisor/restart_delay.hpp"

namespace lvmd::supervisor {

struct HouseholdSpec {
  Programs programs;
  std::vector<std::string> volume_groups;
  internal::ServerSetup server;
  // The volume group is filled in for each.
  internal::ObserverSetup observer;
  internal::WorkerSetup worker;
  Account server_account;
};

using Clock = std::chrono::steady_clock;

// One thread. `listeners` live as long as the household.
class Household {
 public:
  Household(HouseholdSpec spec, Listeners listeners);

  // Called with what the server asks of the supervisor, which may have credentials in it.
  using OnTransfer = std::function<void(internal::TransferRequest)>;
  void on_transfer(OnTransfer callback) { on_transfer_ = std::move(callback); }
  // To the server that runs now; a reply to one that is gone is nobody's.
  void tell_server(const internal::ControlFrame& frame);
  // For this server and its successors.
  void set_restic(const internal::Restic& restic);

  // Starts whoever should run and doesn't, as far as it is due. Called again and again.
  void start_due(Clock::time_point now);
  // When start_due() has something to do next; absent: nothing is waiting.
  [[nodiscard]] std::optional<Clock::time_point> next_due() const;

  // Asks the children for a sign of life, and kills those that gave none. Call it whenever
  // next_due() has come; a caller that comes late (the host was paused) gets nobody killed.
  void check_liveness(Clock::time_point now);

  // Collects children that have ended. Call it on SIGCHLD.
  void reap(Clock::time_point now);

  // The descriptors to poll for reading; call on_readable with each that is.
  [[nodiscard]] std::vector<int> control_fds() const;
  void on_readable(int fd);

  // From now on this is the configuration. A group that is new gets a worker; the worker of one
  // that is gone leaves after its command. Nothing is restarted.
  void reconfigure(const internal::ClassCatalog& catalog, std::vector<std::string> volume_groups);
  // The configured ones.
  [[nodiscard]] const std::vector<std::string>& volume_groups() const {
    return spec_.volume_groups;
  }
  // The server, as far as it runs, has taken the newest configuration. A worker may still be in a
  // command; it takes the configuration after it.
  [[nodiscard]] bool settled() const;

  // The server has said that it serves, at least once.
  [[nodiscard]] bool serving() const { return serving_; }
  // A child that ended because its program is of another version than this one.
  [[nodiscard]] const std::optional<std::string>& other_version() const { return other_version_; }

  // Begins the stop: the server is told, nobody is started again.
  void stop();
  // Ends a server and observers that don't leave by themselves: they own nothing. Never a worker.
  void end_stragglers();
  // From now on workers and observers that still run don't count for all_gone(): they are left to
  // end by themselves, and each worker keeps its group's lock until then. The log names them.
  void leave_behind();
  // Mounters don't count: what one does is safe without lvmd, and one may hang for ever.
  [[nodiscard]] bool all_gone() const;
  // Workers that still run: what a stop waits for.
  [[nodiscard]] std::vector<std::string> running_workers() const;

 private:
  struct Slot {
    std::optional<Child> child;
    RestartDelay delay;
    Clock::time_point due{};
    // Generations of the configuration: the last one sent to the child, and the last one it took.
    std::uint64_t told = 0;
    std::uint64_t taken = 0;
    // How often it was started again.
    std::uint64_t restarts = 0;
    // No class names the group any more.
    bool retired = false;
    // The child has announced a step that can take long, and answers no ping meanwhile.
    std::string step;
    // Of the last ping; absent: answered.
    std::optional<Clock::time_point> pinged;
    std::uint64_t ping = 0;
    MonotonicTime last_answer;
    // It did not answer, and was killed.
    std::optional<Clock::time_point> killed;
    bool told_unkillable = false;
  };
  // What belongs to one volume group.
  struct Group {
    Slot observer;
    Slot worker;
  };

  [[nodiscard]] Status start_server();
  [[nodiscard]] Status start_observer(const std::string& volume_group, Slot& slot);
  [[nodiscard]] Status start_worker(const std::string& volume_group, Slot& slot);
  // Answers the server, whatever comes of it.
  void start_mounter(const internal::StartMounter& request);
  [[nodiscard]] Result<ipc::Channel> mounter_for(const internal::MountJob& job);
  [[nodiscard]] Status tell(Child& child, const internal::ControlFrame& frame,
                            std::span<const int> fds = {});
  void adopt(Slot& slot, Child child) const;
  void on_message(Slot& slot, internal::ChildEvent& message);
  void ping(Slot& slot, Clock::time_point now);
  void judge(std::string_view name, Slot& slot, Clock::time_point now);
  // Lets those go whose groups are gone, and forgets those that went.
  void dismiss_retired();
  // For the server's metrics.
  void tell_restarts(std::string_view name, const Slot& slot);
  // Sends the newest configuration unless one is on its way: a child that is stuck in a command
  // must not fill its channel and so block the supervisor.
  void tell_configuration(Slot& slot);
  void collect(std::string_view name, Slot& slot, Clock::time_point now);
  template <typename Visit>
  void for_each_slot(const Visit& visit);

  HouseholdSpec spec_;
  Listeners listeners_;
  OnTransfer on_transfer_;
  Slot server_;
  std::map<std::string, Group> groups_;
  Mounters mounters_;
  std::uint64_t generation_ = 1;
  bool serving_ = false;
  std::optional<std::string> other_version_;
  bool stopping_ = false;
  bool left_behind_ = false;
  Clock::time_point next_check_{};
};

}  // namespace lvmd::supervisor
