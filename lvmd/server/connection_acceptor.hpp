// Accepts the connections of one listening socket from permitted peers.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {

// Runs a thread from open() until its destruction. Errors of connections and a lack of descriptors
// don't end it.
class ConnectionAcceptor {
 public:
  // `socket` is a listening socket. `path` appears in messages only. Root and members of the groups
  // `allowed` may connect. `connected` gets every accepted connection, non-blocking and registered
  // in `peers`, on the acceptor's thread.
  [[nodiscard]] static Result<std::unique_ptr<ConnectionAcceptor>> open(
      UniqueFd socket, std::string path, std::vector<gid_t> allowed, PeerTable& peers,
      Metrics& metrics, std::function<void(UniqueFd)> connected);
  ConnectionAcceptor(const ConnectionAcceptor&) = delete;
  ConnectionAcceptor& operator=(const ConnectionAcceptor&) = delete;
  // Stops accepting. Connections in the backlog wait for the next process that accepts there.
  ~ConnectionAcceptor();

 private:
  ConnectionAcceptor(UniqueFd socket, UniqueFd wakeup, std::string path, std::vector<gid_t> allowed,
                     PeerTable& peers, Metrics& metrics, std::function<void(UniqueFd)> connected);
  void run();
  // The error concerns the listening socket or the process (no descriptors, no memory), never one
  // connection.
  [[nodiscard]] Status accept_one();
  void admit(UniqueFd connection);
  void refuse(const PeerCredentials& peer);
  // Closes the connection of a permitted peer because too many are open.
  void refuse_over_limit(uid_t uid, const Error& why);

  const UniqueFd socket_;
  const UniqueFd wakeup_;
  const std::string path_;
  const std::vector<gid_t> allowed_;
  PeerTable& peers_;
  Metrics& metrics_;
  const std::function<void(UniqueFd)> connected_;
  std::set<uid_t> refused_;
  std::set<uid_t> over_limit_;
  std::thread thread_;
};

}  // namespace lvmd::server
