// A whole lvmd but for LVM and privilege: the real lvmd-server as a process of its own, with this
// process in the place of supervisor, observer, workers and mounters, over the real channels and
// sockets.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/model/device_class.hpp"
#include "tests/fakes/fake_mounters.hpp"
#include "tests/fakes/fake_movers.hpp"
#include "tests/fakes/fake_vg.hpp"
#include "tests/fakes/fake_worker.hpp"

namespace lvmd::fakes {

struct NodeOptions {
  // The lvmd-server to run.
  std::string server;
  std::vector<gid_t> full_groups;
  std::vector<gid_t> read_only_groups;
  // Serve metrics at metrics_socket().
  bool metrics = false;
  // What the supervisor says of restic; nothing said: it is still being found out.
  std::optional<std::string> restic_problem = "";
  // Of the supervisor, as it tells the server.
  std::string version{ipc::version()};
};

// The classes and groups that tests/contract/README.md asks for.
class FakeNode {
 public:
  // Returns when the server has said that it is ready.
  [[nodiscard]] static Result<std::unique_ptr<FakeNode>> start(const NodeOptions& options);
  FakeNode(const FakeNode&) = delete;
  FakeNode& operator=(const FakeNode&) = delete;
  // Ends the server by ending its control channel, and removes the directory.
  ~FakeNode();

  [[nodiscard]] std::string socket() const { return directory_ + "/lvmd.sock"; }
  [[nodiscard]] std::string read_only_socket() const { return directory_ + "/lvmd-ro.sock"; }
  [[nodiscard]] std::string metrics_socket() const { return directory_ + "/metrics.sock"; }
  // What the server has logged so far.
  [[nodiscard]] std::string log() const;

  // The supervisor's side of transfers.
  [[nodiscard]] FakeMovers& movers() { return *movers_; }
  // As the supervisor tells it when it has found out.
  [[nodiscard]] Status tell_restic(const std::string& problem);

  // The group must be one of the layout.
  [[nodiscard]] FakeWorker& worker(const std::string& vg);
  [[nodiscard]] FakeMounters& mounters() { return mounters_; }
  // lvmd.yaml's mount-roots.
  [[nodiscard]] static std::vector<std::string> mount_roots() { return {"/srv/volumes", "/mnt/a"}; }
  // A new worker for the group, as the supervisor starts one.
  [[nodiscard]] Status restart_worker(const std::string& vg);
  // A change behind lvmd's back; the observer tells the server.
  [[nodiscard]] Status by_hand(const std::string& vg,
                               const std::function<void(FakeGroup&)>& change);
  // The group's observer says that it begins a step, so long ago, with this limit.
  [[nodiscard]] Status announce_observer_step(const std::string& vg, const std::string& what,
                                              std::chrono::seconds ago, std::chrono::seconds limit);
  [[nodiscard]] Status end_observer_step(const std::string& vg);
  // Makes the group unusable, or usable again; the observer tells the server.
  [[nodiscard]] Status set_trouble(const std::string& vg, std::optional<Error> trouble);

  // A reload of lvmd.yaml: workers first, then the server, and back when it has taken the classes.
  // The groups are those of the layout that the classes name.
  [[nodiscard]] Status reconfigure(const model::ClassCatalog& catalog);
  // As the supervisor tells it.
  [[nodiscard]] Status tell_restarts(const std::string& child, std::uint64_t count);

  [[nodiscard]] Status send_stop();
  // Ends the control channel, as the supervisor's death does.
  void hang_up() { control_.shutdown(); }
  // As the kernel does when there is no memory left.
  void kill_server();
  // Of the server.
  [[nodiscard]] pid_t pid() const { return pid_; }
  // The server's exit status; nullopt when it still runs at the limit.
  [[nodiscard]] std::optional<int> wait_for_exit(std::chrono::milliseconds limit);

 private:
  struct Vg {
    explicit Vg(std::unique_ptr<FakeVg> state) : vg(std::move(state)), worker(*vg) {}
    std::unique_ptr<FakeVg> vg;
    FakeWorker worker;
  };

  FakeNode();
  [[nodiscard]] Status spawn(const std::string& server);
  [[nodiscard]] Status set_up(const NodeOptions& options);
  [[nodiscard]] Status attach_observer(FakeVg& vg);
  [[nodiscard]] Status observe(FakeVg& vg);
  [[nodiscard]] Status tell(const internal::ControlFrame& frame, std::span<const int> fds = {});
  void read_events();

  const model::ClassCatalog catalog_;
  std::map<std::string, Vg> vgs_;
  FakeMounters mounters_;
  std::string directory_;
  std::unique_ptr<FakeMovers> movers_;
  // The test's thread and those that answer for mounters and movers tell the server something.
  std::mutex send_mutex_;
  ipc::Channel control_;
  // By volume group.
  std::map<std::string, ipc::Channel> observers_;
  pid_t pid_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = false;
  std::uint64_t generation_ = 1;
  std::uint64_t configured_ = 1;
  bool ended_ = false;
  std::optional<int> exit_status_;
  std::thread events_;
};

}  // namespace lvmd::fakes
