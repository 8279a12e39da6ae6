// Accepts the connections of one socket and lets in who may come in.
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

// Runs a thread from open() to its end. No error of a connection, nor a lack of descriptors, ends
// it.
class ConnectionAcceptor {
 public:
  // `socket` listens at `path`, which is for messages only. Members of `allowed` come in.
  // `connected` takes every connection, non-blocking and enrolled in `peers`, on the listener's
  // thread.
  [[nodiscard]] static Result<std::unique_ptr<ConnectionAcceptor>> open(
      UniqueFd socket, std::string path, std::vector<gid_t> allowed, PeerTable& peers,
      Metrics& metrics, std::function<void(UniqueFd)> connected);
  ConnectionAcceptor(const ConnectionAcceptor&) = delete;
  ConnectionAcceptor& operator=(const ConnectionAcceptor&) = delete;
  // Stops accepting. Who is in the backlog then waits for the next process that accepts there.
  ~ConnectionAcceptor();

 private:
  ConnectionAcceptor(UniqueFd socket, UniqueFd wakeup, std::string path, std::vector<gid_t> allowed,
                     PeerTable& peers, Metrics& metrics, std::function<void(UniqueFd)> connected);
  void run();
  // An error is one of the listener's own (no descriptors, no memory), not of a connection.
  [[nodiscard]] Status accept_one();
  void admit(UniqueFd connection);
  void refuse(const PeerCredentials& peer);
  // The peer may come in, but there are too many connections.
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
