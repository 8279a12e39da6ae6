#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "lvmd/transfers/mover/temporary_files.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using transfers::mover::temporary_memory;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

internal::MoverJob job_with_limit(std::uint64_t mebibytes) {
  internal::MoverJob job = transfers::sample_job();
  job.mutable_settings()->set_memory_limit_bytes(mebibytes * kMiB);
  return job;
}

}  // namespace

TEST_CASE("restic's temporary files are in memory if a quarter of the limit holds them [P-XFER-19]",
          "[mover]") {
  CHECK(temporary_memory(job_with_limit(1024)) == 256 * kMiB);
  // Nine files of 24 MiB.
  CHECK(temporary_memory(job_with_limit(864)) == 216 * kMiB);
  CHECK(temporary_memory(job_with_limit(863)) == 0);
  CHECK(temporary_memory(job_with_limit(0)) == 0);
}

TEST_CASE("more connections of restic need more memory for temporary files [P-XFER-19]",
          "[mover]") {
  internal::MoverJob job = job_with_limit(1024);
  std::string& connections = (*job.mutable_repository()->mutable_options())["s3.connections"];
  connections = "6";
  CHECK(temporary_memory(job) == 256 * kMiB);
  connections = "7";
  CHECK(temporary_memory(job) == 0);
  connections = "18446744073709551615";
  CHECK(temporary_memory(job) == 0);
  connections = "many";
  CHECK(temporary_memory(job) == 0);
}
