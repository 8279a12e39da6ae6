#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/job_input.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using lvmd::transfers::mover::read_job;

namespace {

UniqueFd memory(const std::string& bytes, bool sealed = true) {
  UniqueFd fd{::memfd_create("job", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  REQUIRE(fd);
  REQUIRE(::write(fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  if (sealed)
    REQUIRE(::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW) == 0);
  return fd;
}

}  // namespace

TEST_CASE("a job is read from a sealed memfd, whatever its offset [P-XFER-5]", "[mover]") {
  const internal::MoverJob job = transfers::sample_job();
  const UniqueFd fd = memory(job.SerializeAsString());
  const auto read = read_job(fd.get());
  REQUIRE(read);
  CHECK(read->SerializeAsString() == job.SerializeAsString());
}

TEST_CASE("any other file is rejected [P-XFER-5]", "[mover]") {
  const std::string job = transfers::sample_job().SerializeAsString();
  const UniqueFd unsealed = memory(job, false);
  CHECK_FALSE(read_job(unsealed.get()));
  const UniqueFd null{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  CHECK_FALSE(read_job(null.get()));
  const UniqueFd nonsense = memory("nonsense");
  CHECK_FALSE(read_job(nonsense.get()));
  const UniqueFd empty = memory("");
  CHECK_FALSE(read_job(empty.get()));
  const UniqueFd cut = memory(job.substr(0, job.size() - 1));
  CHECK_FALSE(read_job(cut.get()));
  CHECK_FALSE(read_job(-1));
}

TEST_CASE("the mover checks the job again [P-XFER-5]", "[mover]") {
  internal::MoverJob job = transfers::sample_job();
  job.set_id("../x");
  const UniqueFd wrong = memory(job.SerializeAsString());
  const auto read = read_job(wrong.get());
  REQUIRE_FALSE(read);
  CHECK(read.error().code == Code::kInvalidArgument);
  job = transfers::sample_job();
  job.clear_settings();
  const UniqueFd unsettled = memory(job.SerializeAsString());
  CHECK_FALSE(read_job(unsettled.get()));
}

TEST_CASE("a job from a supervisor of another version is rejected, and both are named [P-RUN-22]",
          "[mover]") {
  internal::MoverJob job = transfers::sample_job();
  job.mutable_settings()->set_version("9.9.9");
  const UniqueFd other = memory(job.SerializeAsString());
  const auto read = read_job(other.get());
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find("started by lvmd 9.9.9") != std::string::npos);
}
