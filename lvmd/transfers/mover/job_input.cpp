#include "lvmd/transfers/mover/job_input.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lvmd/ipc/version.hpp"
#include "lvmd/transfers/record/job.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
// Certificates are the largest part of a job.
constexpr off_t kMaxJob = off_t{4} << 20;

Status read_all(int fd, std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(errno, "read the job");
    if (count == 0) return fail(Code::kFailedPrecondition, "the job is shorter than its file");
    done += static_cast<std::size_t>(count);
  }
  return {};
}

}  // namespace

Result<internal::MoverJob> read_job(int fd) {
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals)
    return fail(Code::kFailedPrecondition, "standard input is not a sealed memfd with a job");
  struct stat status{};
  if (::fstat(fd, &status) != 0) return fail_errno(errno, "the job");
  if (status.st_size > kMaxJob) return fail(Code::kFailedPrecondition, "the job is too long");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  const auto read = read_all(fd, bytes);
  internal::MoverJob job;
  const bool parsed = read && job.ParseFromString(bytes);
  ::explicit_bzero(bytes.data(), bytes.size());
  if (!read) return std::unexpected(read.error());
  if (!parsed) return fail(Code::kFailedPrecondition, "cannot parse the job");
  if (auto same = ipc::check_version(job.settings().version()); !same)
    return std::unexpected(same.error());
  if (auto valid = transfers::check_job(job); !valid) return std::unexpected(valid.error());
  if (auto valid = transfers::check_settings(job.settings()); !valid)
    return std::unexpected(valid.error());
  return job;
}

}  // namespace lvmd::transfers::mover
