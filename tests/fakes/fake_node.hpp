// A complete lvmd without LVM and privileges: the real lvmd-server as a separate process, with this
// process as supervisor, observer, workers and mounters, over the real channels and sockets.
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
  // The path of the lvmd-server to run.
  std::string server;
  std::vector<gid_t> full_groups;
  std::vector<gid_t> read_only_groups;
  // Whether the node is a CSI driver. Members of full_groups may use its sockets, too, because a
  // test need not run as root.
  bool csi = false;
  // Whether to serve metrics at metrics_socket().
  bool metrics = false;
  // The problem with restic that the supervisor reports; empty: none. Absent: restic's version is
  // not known yet.
  std::optional<std::string> restic_problem = "";
  // The supervisor's version in the setup of the server.
  std::string version{ipc::version()};
};

// Has the classes and groups of tests/contract/README.md.
class FakeNode {
 public:
  // Returns when the server has reported that it is ready.
  [[nodiscard]] static Result<std::unique_ptr<FakeNode>> start(const NodeOptions& options);
  FakeNode(const FakeNode&) = delete;
  FakeNode& operator=(const FakeNode&) = delete;
  // Ends the server by closing its control channel, and removes the directory.
  ~FakeNode();

  [[nodiscard]] std::string socket() const { return directory_ + "/lvmd.sock"; }
  [[nodiscard]] std::string read_only_socket() const { return directory_ + "/lvmd-ro.sock"; }
  [[nodiscard]] std::string metrics_socket() const { return directory_ + "/metrics.sock"; }
  [[nodiscard]] std::string csi_socket() const { return directory_ + "/csi.sock"; }
  [[nodiscard]] std::string registration_socket() const { return directory_ + "/reg.sock"; }
  // The server's log until now.
  [[nodiscard]] std::string log() const;

  // The supervisor's side of transfers.
  [[nodiscard]] FakeMovers& movers() { return *movers_; }
  // Reports restic's problem as the supervisor does when it knows the version; empty: none.
  [[nodiscard]] Status send_restic(const std::string& problem);

  // The group must belong to the layout.
  [[nodiscard]] FakeWorker& worker(const std::string& vg);
  [[nodiscard]] FakeMounters& mounters() { return mounters_; }
  // The mount-roots of lvmd.yaml.
  [[nodiscard]] static std::vector<std::string> mount_roots() { return {"/srv/volumes", "/mnt/a"}; }
  // Starts a new worker for the group, as the supervisor does.
  [[nodiscard]] Status restart_worker(const std::string& vg);
  // Makes a change outside lvmd; the observer reports it to the server.
  [[nodiscard]] Status by_hand(const std::string& vg,
                               const std::function<void(FakeGroup&)>& change);
  // The group's observer announces a step that began `ago`, with this limit.
  [[nodiscard]] Status announce_observer_step(const std::string& vg, const std::string& what,
                                              std::chrono::seconds ago, std::chrono::seconds limit);
  [[nodiscard]] Status end_observer_step(const std::string& vg);
  // Makes the group unusable, or usable again; the observer reports it to the server.
  [[nodiscard]] Status set_trouble(const std::string& vg, std::optional<Error> trouble);

  // Reloads lvmd.yaml: workers first, then the server. Returns when the server has the classes. The
  // groups are those of the layout that the classes name.
  [[nodiscard]] Status reconfigure(const model::ClassCatalog& catalog);
  // Reports the number of restarts of a child as the supervisor does.
  [[nodiscard]] Status send_restarts(const std::string& child, std::uint64_t count);

  // Sends a ping as the supervisor does; returns when the server has answered it.
  [[nodiscard]] Status ping();
  [[nodiscard]] Status send_stop();
  // Closes the control channel, as the end of the supervisor does.
  void close_control_channel() { control_.shutdown(); }
  // Kills the server, as the kernel does when memory is exhausted.
  void kill_server() const;
  // The pid of the server.
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
  // The test's thread and the threads of mounters and movers send frames to the server.
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
  // The numbers of the last ping and of the last answer.
  std::uint64_t pinged_ = 0;
  std::uint64_t alive_ = 0;
  bool ended_ = false;
  std::optional<int> exit_status_;
  std::thread events_;
};

}  // namespace lvmd::fakes
