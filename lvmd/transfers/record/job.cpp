#include "lvmd/transfers/record/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/model/names.hpp"
#include "lvmd/transfers/record/location.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {
namespace {

constexpr int kMaxCertificates = 1 << 20;
constexpr std::size_t kMaxSecret = 8192;
constexpr std::size_t kSnapshotIdLength = 64;

Status check_device(const internal::VolumeDevice& device) {
  if (auto valid = model::check_lv_name("volume_group", device.volume_group()); !valid)
    return valid;
  return model::check_lv_name("name", device.name());
}

Status check_repository(const v1::Repository& repository) {
  if (auto valid = check_location("repository.location", repository.location()); !valid)
    return valid;
  if (repository.ca_certificates().size() > kMaxCertificates)
    return fail(Code::kInvalidArgument, "repository.ca_certificates has more than {} bytes",
                kMaxCertificates);
  for (const auto& [name, value] : repository.options())
    if (auto valid = check_option("repository.options", name, value); !valid) return valid;
  return {};
}

// Each secret becomes one line of a file that restic or its libraries read. Messages contain the
// field's name, never the value.
Status check_line(std::string_view field, std::string_view value) {
  if (value.size() > kMaxSecret)
    return fail(Code::kInvalidArgument, "{} has more than {} bytes", field, kMaxSecret);
  if (std::ranges::any_of(value, [](char c) { return c == '\n' || c == '\r' || c == '\0'; }))
    return fail(Code::kInvalidArgument, "{} contains a line break", field);
  return {};
}

// A value in the AWS credentials file, where it is enclosed in back quotes.
Status check_key_value(std::string_view field, std::string_view value) {
  if (auto valid = check_line(field, value); !valid) return valid;
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f' && c != '`' && c != '%'; };
  if (!std::ranges::all_of(value, is_plain))
    return fail(Code::kInvalidArgument,
                "{} contains a blank, '%', '`', a control character or a non-ASCII character",
                field);
  return {};
}

Status check_credentials(const v1::Credentials& credentials, std::string_view location) {
  if (credentials.password().empty())
    return fail(Code::kInvalidArgument, "credentials.password is empty");
  // restic removes blanks at both ends of the password file.
  if (credentials.password().front() == ' ' || credentials.password().back() == ' ' ||
      credentials.password().front() == '\t' || credentials.password().back() == '\t')
    return fail(Code::kInvalidArgument, "credentials.password begins or ends with a blank");
  const std::array<std::pair<std::string_view, const std::string*>, 3> lines{
      {{"credentials.password", &credentials.password()},
       {"credentials.rest_user", &credentials.rest_user()},
       {"credentials.rest_password", &credentials.rest_password()}}};
  for (const auto& [field, value] : lines)
    if (auto valid = check_line(field, *value); !valid) return valid;
  const std::array<std::pair<std::string_view, const std::string*>, 3> keys{
      {{"credentials.access_key_id", &credentials.access_key_id()},
       {"credentials.secret_access_key", &credentials.secret_access_key()},
       {"credentials.session_token", &credentials.session_token()}}};
  for (const auto& [field, value] : keys)
    if (auto valid = check_key_value(field, *value); !valid) return valid;
  // Without keys restic would request the host's own keys from the cloud's metadata service.
  if (location.starts_with("s3:") &&
      (credentials.access_key_id().empty() || credentials.secret_access_key().empty()))
    return fail(Code::kInvalidArgument,
                "credentials.access_key_id and credentials.secret_access_key are required for an "
                "S3 repository");
  return {};
}

bool is_snapshot_id(std::string_view id) {
  return id.size() >= 8 && id.size() <= kSnapshotIdLength && std::ranges::all_of(id, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Status check_restore(const internal::MoverJob& job) {
  if (!internal::RestoreMark_IsValid(job.mark()))
    return fail(Code::kInvalidArgument, "mark {} is unknown", static_cast<int>(job.mark()));
  if (job.snapshot_id().empty() == job.backup_id().empty())
    return fail(Code::kInvalidArgument, "exactly one of snapshot_id and backup_id must be set");
  if (!job.backup_id().empty()) return model::check_transfer_id("backup_id", job.backup_id());
  if (!is_snapshot_id(job.snapshot_id()))
    return fail(Code::kInvalidArgument,
                "snapshot_id \"{}\" is not an id of restic: it must have 8 to {} of the characters "
                "0-9 and a-f",
                job.snapshot_id().substr(0, kSnapshotIdLength), kSnapshotIdLength);
  return {};
}

}  // namespace

bool needs_volume(v1::Operation operation) {
  return operation == v1::OPERATION_BACKUP || operation == v1::OPERATION_RESTORE;
}

Status check_settings(const internal::MoverSettings& settings) {
  for (const std::string* path :
       {&settings.restic_path(), &settings.record_directory(), &settings.cache_directory()})
    if (!path->starts_with('/'))
      return fail(Code::kInvalidArgument, "settings: \"{}\" is not an absolute path", *path);
  for (const std::string& root : settings.local_roots())
    if (!root.starts_with('/') || root.size() < 2)
      return fail(Code::kInvalidArgument,
                  "settings.local_roots: \"{}\" is not an absolute path below /", root);
  if (settings.stall_seconds() == 0)
    return fail(Code::kInvalidArgument, "settings.stall_seconds is 0");
  return {};
}

Status check_job(const internal::MoverJob& job) {
  if (auto valid = check_key({.operation = job.operation(), .id = job.id()}); !valid) return valid;
  if (needs_volume(job.operation()))
    if (auto valid = check_device(job.device()); !valid) return valid;
  if (!v1::Mode_IsValid(job.mode()))
    return fail(Code::kInvalidArgument, "mode {} is unknown", static_cast<int>(job.mode()));
  if (auto valid = check_repository(job.repository()); !valid) return valid;
  if (auto valid = check_credentials(job.credentials(), job.repository().location()); !valid)
    return valid;
  if (job.operation() == v1::OPERATION_RESTORE)
    if (auto valid = check_restore(job); !valid) return valid;
  if (job.operation() == v1::OPERATION_DELETE)
    return model::check_transfer_id("backup_id", job.backup_id());
  return {};
}

}  // namespace lvmd::transfers
