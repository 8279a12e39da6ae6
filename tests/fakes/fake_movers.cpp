#include "tests/fakes/fake_movers.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::fakes {

FakeMovers::FakeMovers(std::string directory, Reply reply)
    : directory_(std::move(directory)), reply_(std::move(reply)) {
  std::filesystem::create_directories(directory_);
}

FakeMovers::~FakeMovers() {
  while (!processes_.empty()) kill(transfers::TransferKey{processes_.begin()->first});
}

void FakeMovers::take(const internal::TransferRequest& request) {
  {
    const std::lock_guard lock{mutex_};
    requests_.push_back(request);
    changed_.notify_all();
    if (holding_) return waiting_.push_back(request);
  }
  answer(request);
}

void FakeMovers::hold() {
  const std::lock_guard lock{mutex_};
  holding_ = true;
}

void FakeMovers::release() {
  std::deque<internal::TransferRequest> waiting;
  {
    const std::lock_guard lock{mutex_};
    holding_ = false;
    waiting = std::exchange(waiting_, {});
  }
  for (const internal::TransferRequest& request : waiting) answer(request);
}

void FakeMovers::refuse_with(std::optional<Error> error) {
  const std::lock_guard lock{mutex_};
  refusal_ = std::move(error);
}

std::vector<internal::TransferRequest> FakeMovers::requests() const {
  const std::lock_guard lock{mutex_};
  return requests_;
}

bool FakeMovers::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, limit, [&] { return requests_.size() >= count; });
}

void FakeMovers::answer(const internal::TransferRequest& request) {
  const Status result =
      request.has_start()
          ? begin(request.start())
          : cancel({.operation = request.cancel().operation(), .id = request.cancel().id()});
  internal::TransferReply reply;
  reply.set_number(request.number());
  if (!result) *reply.mutable_error() = ipc::to_proto(result.error());
  // A server that has ended needs no answer.
  static_cast<void>(reply_(reply));
}

Status FakeMovers::begin(const internal::MoverJob& job) {
  {
    const std::lock_guard lock{mutex_};
    if (refusal_) return std::unexpected(*refusal_);
  }
  internal::MoverJob counted = job;
  const auto before =
      transfers::read_record(directory_, {.operation = job.operation(), .id = job.id()});
  counted.set_attempt(before ? before->transfer().attempt() + 1 : 1);
  return transfers::write_record(directory_,
                                 transfers::new_record(counted, std::chrono::system_clock::now()));
}

Status FakeMovers::cancel(const transfers::TransferKey& key) {
  const Status written = write(key, [](v1::Transfer& transfer) {
    transfer.set_phase(v1::PHASE_CANCELLED);
    *transfer.mutable_completion_time() = transfers::to_timestamp(std::chrono::system_clock::now());
  });
  kill(key);
  return written;
}

Status FakeMovers::run(const transfers::TransferKey& key) {
  {
    const auto lock = transfers::RecordLock::take(directory_, key);
    if (!lock) return std::unexpected(lock.error());
    const pid_t pid = ::fork();
    if (pid < 0) return fail_errno(errno, "fork");
    // The lock belongs to the open file description, which the child shares, so it lasts until the
    // child ends.
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) ::pause();
    }
    const std::lock_guard guard{mutex_};
    processes_[key] = pid;
  }
  return write(key, [](v1::Transfer& transfer) { transfer.set_phase(v1::PHASE_RUNNING); });
}

Status FakeMovers::write(const transfers::TransferKey& key,
                         const std::function<void(v1::Transfer&)>& change) {
  auto record = transfers::read_record(directory_, key);
  if (!record) return std::unexpected(record.error());
  change(*record->mutable_transfer());
  return transfers::write_record(directory_, *record);
}

void FakeMovers::kill(const transfers::TransferKey& key) {
  pid_t pid = 0;
  {
    const std::lock_guard lock{mutex_};
    const auto found = processes_.find(key);
    if (found == processes_.end()) return;
    pid = found->second;
    processes_.erase(found);
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace lvmd::fakes
