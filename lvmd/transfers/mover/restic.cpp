#include "lvmd/transfers/mover/restic.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <list>

#include "lvmd/base/files.hpp"

namespace lvmd::transfers::mover {
namespace {

// The maximum output that is kept in memory.
constexpr std::size_t kMaxAnswer = std::size_t{64} << 20U;
// The maximum error output that is kept: its end is the most specific.
constexpr std::size_t kMaxErrors = std::size_t{8} << 10U;

std::string hostname() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string{name.data()}
                                                          : std::string{};
}

bool is_alive(std::int64_t pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

bool is_restic(std::int64_t pid) {
  return program_name(static_cast<pid_t>(pid)) == kResticPath.substr(1);
}

void append_line(std::string& errors, std::string_view line) {
  errors += line;
  errors += '\n';
  if (errors.size() > kMaxErrors) errors.erase(0, errors.size() - kMaxErrors);
}

// Explains a line of standard error while restic still runs.
v1::TransferError explain_line(ResticFailure restic_failure, const std::string& line) {
  restic_failure.errors = line;
  return explain(restic_failure);
}

}  // namespace

std::optional<TransferFailure> LineCutter::operator()(std::string_view bytes) {
  rest_ += bytes;
  std::size_t begin = 0;
  std::optional<TransferFailure> failure;
  for (std::size_t end = 0; !failure && (end = rest_.find('\n', begin)) != std::string::npos;
       begin = end + 1)
    failure = take_(std::string_view{rest_}.substr(begin, end - begin));
  rest_.erase(0, begin);
  return failure;
}

Restic::Restic(const internal::MoverJob& job, const SecretFiles& files, Supervision& supervision)
    : job_(job),
      descriptors_(files.descriptors()),
      commands_(job, files),
      redact_(job.credentials()),
      supervision_(supervision) {}

ResticFailure Restic::failure_of(std::string_view command) const {
  return {.step = supervision_.code(),
          .exit_code = 1,
          .repository = redact_(job_.repository().location()),
          .command = std::string{command}};
}

// A call and its program, whose handlers refer to this object.
class Restic::Prepared {
 public:
  Prepared(Restic& restic, ResticCall call)
      : restic_(restic), call_(std::move(call)), failure_(restic.failure_of(call_.name)) {}
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() = default;

  Program program() {
    return {.command = std::move(call_.command),
            .capabilities = call_.with_capabilities ? capabilities_for(restic_.job_.operation())
                                                    : Capabilities{0},
            .inherited = restic_.descriptors_,
            .on_output = std::move(call_.on_output),
            .on_error_line = [this](std::string_view line) { return take_error(line); },
            .input = std::move(call_.input),
            .on_exit = [this](int code) { return take_exit(code); },
            .silent = call_.silent};
  }

  [[nodiscard]] int exit_code() const { return exit_code_; }
  [[nodiscard]] const ResticFailure& failure() const { return failure_; }

 private:
  std::optional<TransferFailure> take_error(std::string_view line) {
    ErrorLine error = parse_error_line(line);
    error.text = restic_.redact_(error.text);
    if (!error.text.empty()) append_line(failure_.errors, error.text);
    if (call_.on_error)
      if (auto failure = call_.on_error(error)) return failure;
    auto explained = explain_line(failure_, error.text);
    if (!is_out_of_space(explained, error.text)) return std::nullopt;
    return TransferFailure{.error = std::move(explained)};
  }

  std::optional<TransferFailure> take_exit(int code) {
    exit_code_ = code;
    if (std::ranges::find(call_.expected, code) != call_.expected.end()) return std::nullopt;
    failure_.exit_code = code;
    return TransferFailure{.error = explain(failure_)};
  }

  Restic& restic_;
  ResticCall call_;
  ResticFailure failure_;
  int exit_code_ = 0;
};

StepResult<int> Restic::call(ResticCall call) {
  Prepared prepared{*this, std::move(call)};
  const Program program = prepared.program();
  auto ended = mover::run({&program, 1}, supervision_);
  if (ended) return prepared.exit_code();
  if (ended.error().error.reason() == cause::kStalled)
    ended.error().error = explain_stall(std::move(ended.error().error), prepared.failure());
  return std::unexpected(std::move(ended.error()));
}

StepResult<void> Restic::run(ResticCall call) {
  const auto ended = this->call(std::move(call));
  if (!ended) return std::unexpected(ended.error());
  return {};
}

StepResult<void> Restic::run_together(std::vector<ResticCall> calls) {
  std::list<Prepared> prepared;
  std::vector<Program> programs;
  programs.reserve(calls.size());
  for (ResticCall& call : calls)
    programs.push_back(prepared.emplace_back(*this, std::move(call)).program());
  auto ended = mover::run(programs, supervision_);
  if (!ended && ended.error().error.reason() == cause::kStalled)
    for (const Prepared& each : prepared)
      ended.error().error = explain_stall(std::move(ended.error().error), each.failure());
  return ended;
}

StepResult<std::optional<std::string>> Restic::output_of(ResticCall call) {
  std::string answer;
  const std::string_view name = call.name;
  call.on_output = [&](std::string_view bytes) -> std::optional<TransferFailure> {
    answer += bytes;
    if (answer.size() <= kMaxAnswer) return std::nullopt;
    return failed(supervision_.code(), cause::kMoverFailed,
                  fmt::format("restic {} printed more than {} bytes", name, kMaxAnswer))
        .error();
  };
  const auto ended = this->call(std::move(call));
  if (!ended) return std::unexpected(ended.error());
  if (*ended != 0) return std::nullopt;
  return answer;
}

StepResult<bool> Restic::open() { return open(commands_.list_locks()); }

StepResult<bool> Restic::open_without_region() {
  return open(commands_.list_locks_without_region());
}

StepResult<bool> Restic::open(CommandLine list_locks) {
  supervision_.record().step("opening");
  const ResticFailure restic_failure = failure_of("list locks");
  const auto start = std::chrono::steady_clock::now();
  const auto on_error = [&](const ErrorLine& error) -> std::optional<TransferFailure> {
    auto explained = explain_line(restic_failure, error.text);
    const auto tried = std::chrono::steady_clock::now() - start;
    if (!is_hopeless(explained, error.text, tried)) return std::nullopt;
    return TransferFailure{.error = std::move(explained)};
  };
  const auto ids = output_of({.name = "list locks",
                              .command = std::move(list_locks),
                              .expected = {0, kNoRepository},
                              .on_error = on_error});
  if (!ids) return std::unexpected(ids.error());
  locks_ = parse_ids(ids->value_or(""));
  return ids->has_value();
}

StepResult<void> Restic::make() { return run({.name = "init", .command = commands_.init()}); }

StepResult<void> Restic::remove_dead_locks() {
  if (locks_.empty()) return {};
  for (const std::string& id : locks_) {
    const auto text =
        output_of({.name = "cat lock", .command = commands_.read_lock(id), .expected = {0, 1}});
    if (!text) return std::unexpected(text.error());
    // The lock was removed in the meantime.
    if (!*text) continue;
    const auto lock = parse_lock(**text);
    // `unlock` checks whether a lock's process is alive by sending SIGHUP. restic ignores it, but
    // another program that got the same pid may not.
    if (lock && lock->hostname == hostname() && is_alive(lock->pid) && !is_restic(lock->pid))
      return {};
  }
  return run({.name = "unlock", .command = commands_.unlock()});
}

StepResult<std::vector<Snapshot>> Restic::snapshots_of(std::string_view backup_id) {
  const auto text = output_of({.name = "snapshots", .command = commands_.snapshots_of(backup_id)});
  if (!text) return std::unexpected(text.error());
  auto snapshots = parse_snapshots(text->value_or(""));
  if (!snapshots)
    return failed(supervision_.code(), cause::kMoverFailed, snapshots.error().message);
  std::ranges::sort(*snapshots, std::ranges::greater{}, &Snapshot::time);
  return *std::move(snapshots);
}

}  // namespace lvmd::transfers::mover
