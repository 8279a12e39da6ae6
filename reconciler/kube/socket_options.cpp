#include "reconciler/kube/socket_options.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace lvmd::reconciler::kube {
namespace {

bool set(int socket, int level, int option, int value) {
  return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

}  // namespace

bool limit_silence(int socket) {
  const std::chrono::milliseconds unacknowledged = kUnacknowledged;
  return set(socket, SOL_SOCKET, SO_KEEPALIVE, 1) &&
         set(socket, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(kProbeAfter.count())) &&
         set(socket, IPPROTO_TCP, TCP_KEEPINTVL, static_cast<int>(kProbeInterval.count())) &&
         set(socket, IPPROTO_TCP, TCP_KEEPCNT, kProbes) &&
         set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(unacknowledged.count()));
}

}  // namespace lvmd::reconciler::kube
