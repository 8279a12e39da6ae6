#include "lvmd/transfers/launcher/movers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/wipe.hpp"
#include "lvmd/transfers/launcher/job_check.hpp"
#include "lvmd/transfers/record/expiry.hpp"
#include "lvmd/transfers/record/interruption.hpp"
#include "lvmd/transfers/record/liveness.hpp"
#include "lvmd/transfers/record/record_files.hpp"

namespace lvmd::transfers {
namespace {

Time wall_clock() { return std::chrono::system_clock::now(); }

// Returns a sealed memfd that contains the serialized job with its credentials [P-XFER-5]. Its
// offset is 0; close-on-exec is set.
Result<UniqueFd> seal_job(const internal::MoverJob& job) {
  UniqueFd fd{::memfd_create("lvmd-mover-job", MFD_ALLOW_SEALING | MFD_CLOEXEC)};
  if (!fd) return fail_errno(errno, "memfd_create");
  std::string bytes = job.SerializeAsString();
  const Status written = write_all(fd.get(), bytes, "write a mover's job");
  ipc::wipe(bytes);
  if (!written) return std::unexpected(written.error());
  if (::lseek(fd.get(), 0, SEEK_SET) != 0) return fail_errno(errno, "lseek");
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno(errno, "seal a mover's job");
  return fd;
}

// A record whose mover could not be started.
internal::TransferRecord failed(const internal::TransferRecord& record, const Error& why,
                                Time now) {
  internal::TransferRecord ended = interrupted(record, now);
  ended.mutable_transfer()->mutable_error()->set_reason("MoverFailed");
  ended.mutable_transfer()->mutable_error()->set_message(why.message);
  return ended;
}

}  // namespace

Movers::Movers(MoversSpec spec, std::unique_ptr<MoverLauncher> launcher, Reply reply)
    : spec_(std::move(spec)), launcher_(std::move(launcher)), reply_(std::move(reply)) {
  tidy_records(wall_clock());
}

void Movers::use_restic(const ResticVersion& version) {
  spec_.settings.set_restic_excludes_xattrs(version >= kExcludesXattrs);
}

void Movers::handle(internal::TransferRequest request) {
  switch (request.request_case()) {
    case internal::TransferRequest::kStart:
      start(request.number(), *request.mutable_start());
      return ipc::wipe(*request.mutable_start()->mutable_credentials());
    case internal::TransferRequest::kCancel:
      return cancel(request.number(), request.cancel());
    case internal::TransferRequest::REQUEST_NOT_SET:
      break;
  }
  answer(request.number(), fail(Code::kInternal, "a transfer request without content"));
}

void Movers::start(std::uint64_t number, internal::MoverJob& job) {
  const auto now = wall_clock();
  *job.mutable_settings() = spec_.settings;
  if (auto valid = check_mover_job(job, spec_.limits, spec_.volume_groups(), spec_.sysfs); !valid)
    return answer(number, valid);
  const TransferKey key{.operation = job.operation(), .id = job.id()};
  tidy_records(now);
  const auto attempt = next_attempt(key, now);
  if (!attempt) return answer(number, std::unexpected(attempt.error()));
  if (running(now) >= spec_.limits.max_running)
    return answer(number,
                  fail(Code::kResourceExhausted,
                       "{} transfers are running, which is the limit transfers.max-running of "
                       "lvmd.yaml: try again later",
                       spec_.limits.max_running)
                      .because(reason::kTooManyTransfers)
                      .with(key::kLimit, spec_.limits.max_running));
  job.set_attempt(*attempt);
  auto sealed = seal_job(job);
  if (!sealed) return answer(number, std::unexpected(sealed.error()));
  internal::TransferRecord record = new_record(job, now);
  const std::filesystem::path directory{spec_.settings.record_directory()};
  if (auto written = write_record(directory, record); !written) return answer(number, written);
  starting_.insert(key);
  launcher_->start(
      mover_unit(job, spec_.program, spec_.limits), std::move(*sealed),
      [this, number, key, directory, record = std::move(record)](const Status& started) {
        starting_.erase(key);
        if (started) {
          log::info(fmt::format("the mover of {} has been started", describe(key)),
                    {{log::kTransfer, describe(key)}});
        } else if (!is_live(directory, record, wall_clock(), std::chrono::seconds{0})) {
          // The server can show the failure without waiting for the start timeout.
          const auto written =
              write_record(directory, failed(record, started.error(), wall_clock()));
          if (!written) log::error(written.error().message);
        }
        answer(number, started);
      });
}

void Movers::cancel(std::uint64_t number, const v1::TransferName& name) {
  const TransferKey key{.operation = name.operation(), .id = name.id()};
  if (auto valid = check_key(key); !valid) return answer(number, valid);
  log::info(fmt::format("cancelling {}: its mover is requested to end", describe(key)),
            {{log::kTransfer, describe(key)}});
  launcher_->stop(key, [this, number](const Status& stopped) { answer(number, stopped); });
}

Result<std::uint32_t> Movers::next_attempt(const TransferKey& key, Time now) const {
  const std::filesystem::path directory{spec_.settings.record_directory()};
  const auto record = read_record(directory, key);
  if (!record && record.error().code == Code::kNotFound) return 1U;
  // An unreadable record has no attempt to count from.
  if (!record) {
    log::warning(record.error().message);
    return 1U;
  }
  const bool is_done =
      has_ended(record->transfer().phase()) && !can_start_again(record->transfer());
  if (starting_.contains(key) || is_done || is_live(directory, *record, now, kStartTimeout))
    return fail(Code::kAlreadyExists, "{} is running, or has already succeeded", describe(key))
        .because(reason::kTransferDiffers);
  return record->transfer().attempt() + 1;
}

std::size_t Movers::running(Time now) const {
  const std::filesystem::path directory{spec_.settings.record_directory()};
  const auto records = list_records(directory);
  if (!records) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(*records, [&](const auto& listed) {
    return listed.second && is_live(directory, *listed.second, now, kStartTimeout);
  }));
}

void Movers::tidy_records(Time now) const {
  const std::filesystem::path directory{spec_.settings.record_directory()};
  const auto records = list_records(directory);
  if (!records) return log::warning(records.error().message);
  for (const auto& [key, record] : *records) {
    if (!record || has_ended(record->transfer().phase()) || starting_.contains(key) ||
        is_live(directory, *record, now, kStartTimeout))
      continue;
    const auto settled = settle_interrupted(directory, key, now);
    if (!settled) log::warning(settled.error().message);
    if (settled && *settled)
      log::warning(fmt::format("the mover of {} has died", describe(key)),
                   {{log::kTransfer, describe(key)}});
  }
  if (const auto expired = expire(directory, now); !expired) log::warning(expired.error().message);
}

void Movers::answer(std::uint64_t number, const Status& result) const {
  internal::TransferReply reply;
  reply.set_number(number);
  if (!result) *reply.mutable_error() = ipc::to_proto(result.error());
  reply_(reply);
}

}  // namespace lvmd::transfers
