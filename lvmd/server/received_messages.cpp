// recvmsg() of the program, which shared libraries use instead of the C library's. gRPC receives
// with it, and offers no other place where a request can be counted before it is complete
// (incomplete_requests.hpp).
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lvmd/server/incomplete_requests.hpp"

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
  auto* const requests = lvmd::server::IncompleteRequests::installed();
  if (requests == nullptr || (flags & MSG_ERRQUEUE) != 0)
    return ::syscall(SYS_recvmsg, fd, message, flags);
  if (requests->has_ended(fd)) return 0;
  const ssize_t size = ::syscall(SYS_recvmsg, fd, message, flags);
  const int error = errno;
  if (size >= 0) requests->received(fd, *message, static_cast<std::size_t>(size));
  errno = error;
  return size;
}
