// A request of a caller is refused with a reason, or becomes a change of a configured group and a
// valid name; a refusal never repeats a credential.
#include <google/protobuf/stubs/logging.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "lvmd/model/names.hpp"
#include "lvmd/mounts/service/mount_checks.hpp"
#include "lvmd/transfers/record/record_name.hpp"
#include "lvmd/transfers/service/transfer_checks.hpp"
#include "lvmd/volumes/service/request_checks.hpp"

using namespace lvmd;

namespace {

constexpr const char* kSecret = "correct-horse";

model::ClassCatalog catalog() {
  model::DeviceClass thick;
  thick.name = "ssd";
  thick.volume_group = "vg0";
  thick.is_default = true;
  model::DeviceClass thin;
  thin.name = "thin";
  thin.volume_group = "vg0";
  thin.thin_pool = model::ThinPoolTarget{.name = "pool0", .overprovision_ratio = 2.0};
  return {.device_classes = {thick, thin},
          .option_classes = {{.name = "mirrored", .options = {"--type=raid1"}}}};
}

void check_refusal(const Error& error, bool has_secret) {
  const bool known = error.code == Code::kInvalidArgument || error.code == Code::kNotFound ||
                     error.code == Code::kFailedPrecondition ||
                     error.code == Code::kUnimplemented || error.code == Code::kOutOfRange;
  if (!known || error.message.empty()) std::abort();
  if (has_secret && error.message.find(kSecret) != std::string::npos) std::abort();
}

template <typename Request>
void fuzz_change(const std::string& bytes) {
  Request request;
  if (!request.ParseFromString(bytes)) return;
  const auto change = volumes::check(catalog(), request);
  if (!change) return check_refusal(change.error(), false);
  if (change->volume_group != "vg0" || !model::check_lv_name("name", change->volume)) std::abort();
}

template <typename Request>
void fuzz_mount(const std::string& bytes) {
  Request request;
  if (!request.ParseFromString(bytes)) return;
  const std::vector<std::string> roots{"/run/lvmd/mounts"};
  const auto mount = mounts::check(catalog(), roots, request);
  if (!mount) check_refusal(mount.error(), false);
}

template <typename Request>
void fuzz_transfer(const std::string& bytes) {
  Request request;
  if (!request.ParseFromString(bytes)) return;
  // The fuzzer learns the word: it may be in a field that a refusal repeats.
  const bool is_elsewhere = bytes.find(kSecret) != std::string::npos;
  v1::Credentials& credentials = *request.mutable_credentials();
  if (!credentials.password().empty()) credentials.set_password(kSecret);
  if (!credentials.secret_access_key().empty()) credentials.set_secret_access_key(kSecret);
  if (!credentials.rest_password().empty()) credentials.set_rest_password(kSecret);
  const std::vector<std::string> roots{"/srv/backups"};
  const auto job = transfers::check(catalog(), roots, request);
  if (!job) return check_refusal(job.error(), !is_elsewhere);
  if (!model::check_transfer_id("id", request.id())) std::abort();
}

using Fuzz = void (*)(const std::string&);
constexpr Fuzz kFuzzers[] = {
    fuzz_change<proto::CreateLVRequest>,    fuzz_change<proto::RemoveLVRequest>,
    fuzz_change<proto::ResizeLVRequest>,    fuzz_change<proto::CreateLVSnapshotRequest>,
    fuzz_mount<v1::MountRequest>,           fuzz_mount<v1::UnmountRequest>,
    fuzz_transfer<v1::StartBackupRequest>,  fuzz_transfer<v1::StartRestoreRequest>,
    fuzz_transfer<v1::DeleteBackupRequest>, fuzz_transfer<v1::StartCheckRequest>,
    fuzz_mount<v1::GrowFileSystemRequest>,  fuzz_mount<v1::GetUsageRequest>,
};

}  // namespace

// What is no UTF-8 is told on stderr otherwise, a line each.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte says which request it is.
  const std::string bytes{reinterpret_cast<const char*>(data + 1), size - 1};
  kFuzzers[data[0] % std::size(kFuzzers)](bytes);
  return 0;
}
