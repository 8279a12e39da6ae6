// A channel gives the frames that were sent, or an error; what they hold is a value of the model
// that is the same after it was sent and received again, or an error.
#include <google/protobuf/stubs/logging.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/state_stream.hpp"

using namespace lvmd;

namespace {

// As it is after the wire.
template <typename Message>
void check_value(const std::string& payload) {
  Message message;
  if (!message.ParseFromString(payload)) return;
  const auto value = ipc::from_proto(message);
  if (!value) {
    if (value.error().message.empty()) std::abort();
    return;
  }
  const auto again = ipc::from_proto(ipc::to_proto(*value));
  if (!again ||
      ipc::to_proto(*again).SerializeAsString() != ipc::to_proto(*value).SerializeAsString())
    std::abort();
}

// A frame is a state, or an error.
void check_state(ipc::StateReader& states, const std::string& payload) {
  internal::VgState frame;
  if (!frame.ParseFromString(payload)) return;
  if (const auto state = states.read(frame); !state && state.error().message.empty()) std::abort();
}

template <typename Message>
void check_parsing(const std::string& payload) {
  Message message;
  static_cast<void>(message.ParseFromString(payload));
}

}  // namespace

// What is no UTF-8 is told on stderr otherwise, a line each.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto ends = ipc::make_pair();
  if (!ends) std::abort();
  auto& [sender, receiver] = *ends;
  if (size != 0 && ::send(sender.fd(), data, size, MSG_NOSIGNAL) != static_cast<ssize_t>(size))
    return 0;
  sender.shutdown();
  std::size_t received = 0;
  ipc::StateReader states;
  for (;;) {
    const auto frame = receiver.receive_frame();
    if (!frame || !*frame) {
      if (!frame && frame.error().message.empty()) std::abort();
      // Between two frames only: what is left over is an error.
      if (frame && received != size) std::abort();
      return 0;
    }
    const std::string& payload = (*frame)->payload;
    received += payload.size() + sizeof(std::uint32_t);
    if (received > size) std::abort();
    check_value<internal::VgState>(payload);
    check_state(states, payload);
    check_value<internal::ClassCatalog>(payload);
    check_parsing<internal::WorkerRequest>(payload);
    check_parsing<internal::WorkerEvent>(payload);
  }
}
