#include "lvmd/server/mounter_client.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"

namespace lvmd::server {
namespace {

Failure mounter_gone(const std::string& why) {
  return fail(Code::kUnavailable, "the process that mounts {}: the same call again goes on", why)
      .because(reason::kMounterGone);
}

MountOutcome outcome_of(ipc::Channel channel) {
  const auto received = channel.receive<internal::MountReply>();
  if (!received) return mounter_gone("was not understood (" + received.error().message + ")");
  if (!*received) return mounter_gone("ended before it was done");
  const internal::MountReply& reply = (*received)->message;
  switch (reply.outcome_case()) {
    case internal::MountReply::kMounts:
      return reply.mounts();
    case internal::MountReply::kError:
      return std::unexpected(ipc::from_proto(reply.error()));
    case internal::MountReply::OUTCOME_NOT_SET:
      break;
  }
  return fail(Code::kInternal, "a mounter's reply has no outcome");
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

Status MounterClient::open(Tell tell) {
  news_.reset(::eventfd(0, EFD_CLOEXEC));
  if (!news_) return fail_errno(errno, "eventfd");
  reader_ = std::thread{[this] { read_replies(); }};
  const std::lock_guard lock{mutex_};
  tell_ = std::move(tell);
  open_ = {};
  return {};
}

void MounterClient::wake() const {
  const std::uint64_t one = 1;
  // Fails only when there is no reader, or more news than it could ever miss.
  if (news_) static_cast<void>(!::write(news_.get(), &one, sizeof one));
}

void MounterClient::submit(internal::MountJob job, Callback done) {
  internal::ChildEvent event;
  {
    std::unique_lock lock{mutex_};
    if (!open_) {
      const MountOutcome refusal = std::unexpected(open_.error());
      lock.unlock();
      return done(refusal);
    }
    event.mutable_start_mounter()->set_number(++last_number_);
    jobs_.emplace(last_number_, Job{.done = std::move(done), .channel = {}});
  }
  event.mutable_start_mounter()->mutable_job()->Swap(&job);
  if (const auto told = tell_(event); !told)
    answer(event.start_mounter().number(), std::unexpected(told.error()));
}

void MounterClient::started(std::uint64_t number, ipc::Channel channel) {
  {
    const std::lock_guard lock{mutex_};
    // Nobody waits for it any more: the mounter finishes alone.
    const auto job = jobs_.find(number);
    if (job == jobs_.end()) return;
    job->second.channel = std::move(channel);
  }
  wake();
}

void MounterClient::refused(std::uint64_t number, const Error& why) {
  answer(number, std::unexpected(why));
}

void MounterClient::end(const Error& why) {
  std::map<std::uint64_t, Job> ended;
  {
    const std::lock_guard lock{mutex_};
    open_ = std::unexpected(why);
    ended = std::exchange(jobs_, {});
  }
  for (const auto& [number, job] : ended) job.done(std::unexpected(why));
}

void MounterClient::answer(std::uint64_t number, const MountOutcome& outcome) {
  Callback done;
  {
    const std::lock_guard lock{mutex_};
    auto job = jobs_.extract(number);
    if (job.empty()) return;
    done = std::move(job.mapped().done);
  }
  done(outcome);
}

ipc::Channel MounterClient::take_channel(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  const auto job = jobs_.find(number);
  return job == jobs_.end() ? ipc::Channel{} : std::exchange(job->second.channel, {});
}

void MounterClient::read_replies() {
  for (;;) {
    std::vector<pollfd> polled{{.fd = news_.get(), .events = POLLIN, .revents = 0}};
    std::vector<std::uint64_t> numbers{0};
    {
      const std::lock_guard lock{mutex_};
      if (leaving_) return;
      for (const auto& [number, job] : jobs_) {
        if (!job.channel) continue;
        polled.push_back({.fd = job.channel.fd(), .events = POLLIN, .revents = 0});
        numbers.push_back(number);
      }
    }
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      if (errno != EINTR) log::error(errno_error(errno, "poll for mounters").message);
      continue;
    }
    std::uint64_t ignored = 0;
    if (polled[0].revents != 0) static_cast<void>(!::read(news_.get(), &ignored, sizeof ignored));
    for (std::size_t i = 1; i < polled.size(); ++i) {
      if (polled[i].revents == 0) continue;
      // A mounter writes its reply at once and whole.
      if (ipc::Channel channel = take_channel(numbers[i]))
        answer(numbers[i], outcome_of(std::move(channel)));
    }
  }
}

}  // namespace lvmd::server
