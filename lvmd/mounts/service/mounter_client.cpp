#include "lvmd/mounts/service/mounter_client.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"

namespace lvmd::mounts {
namespace {

Failure mounter_gone(const std::string& why) {
  return fail(Code::kUnavailable, "the process that mounts {}: the same call again goes on", why)
      .because(reason::kMounterGone);
}

MountResult result_of(ipc::Channel channel) {
  auto received = channel.receive<internal::MountReply>();
  if (!received) return mounter_gone("was not understood (" + received.error().message + ")");
  if (!*received) return mounter_gone("ended before it was done");
  internal::MountReply& reply = (*received)->message;
  if (reply.has_error()) return std::unexpected(ipc::from_proto(reply.error()));
  if (reply.outcome_case() == internal::MountReply::OUTCOME_NOT_SET)
    return fail(Code::kInternal, "a mounter's reply has no outcome");
  return std::move(reply);
}

}  // namespace

MounterClient::~MounterClient() {
  {
    const std::lock_guard lock{mutex_};
    leaving_ = true;
  }
  wake();
  if (reader_.joinable()) reader_.join();
}

Status MounterClient::open() {
  wakeup_.reset(::eventfd(0, EFD_CLOEXEC));
  if (!wakeup_) return fail_errno(errno, "eventfd");
  reader_ = std::thread{[this] { read_replies(); }};
  return {};
}

void MounterClient::wake() const {
  const std::uint64_t one = 1;
  // Fails only when there is no reader, or when the counter is full: then the reader wakes anyway.
  if (wakeup_) static_cast<void>(!::write(wakeup_.get(), &one, sizeof one));
}

void MounterClient::submit(internal::MountJob job, Callback done) {
  const auto number = replies_.add(std::move(done));
  if (!number) return;
  internal::ChildEvent event;
  event.mutable_start_mounter()->set_number(*number);
  event.mutable_start_mounter()->mutable_job()->Swap(&job);
  if (const auto sent = send_(event); !sent)
    replies_.complete(*number, std::unexpected(sent.error()));
}

void MounterClient::started(std::uint64_t number, ipc::Channel channel) {
  {
    const std::lock_guard lock{mutex_};
    channels_.insert_or_assign(number, std::move(channel));
  }
  wake();
}

void MounterClient::refused(std::uint64_t number, const Error& why) {
  replies_.complete(number, std::unexpected(why));
}

void MounterClient::end(const Error& why) { replies_.end(std::unexpected(why)); }

void MounterClient::read_replies() {
  for (;;) {
    std::vector<pollfd> polled{{.fd = wakeup_.get(), .events = POLLIN, .revents = 0}};
    std::vector<std::uint64_t> numbers{0};
    {
      const std::lock_guard lock{mutex_};
      if (leaving_) return;
      for (const auto& [number, channel] : channels_) {
        polled.push_back({.fd = channel.fd(), .events = POLLIN, .revents = 0});
        numbers.push_back(number);
      }
    }
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      if (errno != EINTR) log::error(errno_error(errno, "poll for mounters").message);
      continue;
    }
    std::uint64_t ignored = 0;
    if (polled[0].revents != 0) static_cast<void>(!::read(wakeup_.get(), &ignored, sizeof ignored));
    for (std::size_t i = 1; i < polled.size(); ++i) {
      if (polled[i].revents == 0) continue;
      ipc::Channel channel;
      {
        const std::lock_guard lock{mutex_};
        channel = std::move(channels_.extract(numbers[i]).mapped());
      }
      // A mounter writes its reply at once and whole.
      replies_.complete(numbers[i], result_of(std::move(channel)));
    }
  }
}

}  // namespace lvmd::mounts
