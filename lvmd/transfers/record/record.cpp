#include "lvmd/transfers/record/record.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>

#include "lvmd/transfers/record/sha256.hpp"

namespace lvmd::transfers {
namespace {

// Far more than the few short texts of a record.
constexpr std::size_t kMaxRecord = std::size_t{1} << 20U;

Status bad(std::string_view what) {
  return fail(Code::kInternal, "invalid transfer record: {}", what);
}

// Serializes maps in the order of their keys, so that equal messages have equal bytes.
std::string stable_bytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream{&bytes};
    google::protobuf::io::CodedOutputStream out{&stream};
    out.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&out);
  }
  return bytes;
}

}  // namespace

google::protobuf::Timestamp to_timestamp(Time time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  google::protobuf::Timestamp timestamp;
  timestamp.set_seconds(seconds.count());
  timestamp.set_nanos(static_cast<std::int32_t>((since - seconds).count()));
  return timestamp;
}

Time from_timestamp(const google::protobuf::Timestamp& timestamp) {
  return Time{std::chrono::duration_cast<Time::duration>(
      std::chrono::seconds{timestamp.seconds()} + std::chrono::nanoseconds{timestamp.nanos()})};
}

bool has_ended(v1::Phase phase) {
  return phase == v1::PHASE_SUCCEEDED || phase == v1::PHASE_FAILED || phase == v1::PHASE_CANCELLED;
}

bool can_start_again(const v1::Transfer& transfer) {
  return transfer.phase() == v1::PHASE_FAILED || transfer.phase() == v1::PHASE_CANCELLED ||
         (transfer.phase() == v1::PHASE_SUCCEEDED && transfer.operation() == v1::OPERATION_CHECK);
}

TransferKey key_of(const internal::TransferRecord& record) {
  return {.operation = record.transfer().operation(), .id = record.transfer().id()};
}

internal::TransferRecord new_record(const internal::MoverJob& job, Time now) {
  internal::TransferRecord record;
  v1::Transfer& transfer = *record.mutable_transfer();
  transfer.set_operation(job.operation());
  transfer.set_id(job.id());
  transfer.set_phase(v1::PHASE_PENDING);
  transfer.set_volume_group(job.device().volume_group());
  transfer.set_name(job.device().name());
  transfer.set_repository(job.repository().location());
  *transfer.mutable_start_time() = to_timestamp(now);
  transfer.set_attempt(job.attempt());
  record.set_spec_digest(spec_digest(job));
  return record;
}

std::string spec_digest(const internal::MoverJob& job) {
  internal::MoverJob spec = job;
  spec.clear_credentials();
  spec.clear_attempt();
  spec.clear_settings();
  spec.clear_mark();
  if (spec.has_device()) {
    const internal::VolumeDevice device = spec.device();
    spec.clear_device();
    spec.mutable_device()->set_volume_group(device.volume_group());
    spec.mutable_device()->set_name(device.name());
  }
  return sha256(stable_bytes(spec));
}

Status check_record(const internal::TransferRecord& record) {
  const v1::Transfer& transfer = record.transfer();
  if (auto key = check_key(key_of(record)); !key) return bad(key.error().message);
  if (!v1::Phase_IsValid(transfer.phase()) || transfer.phase() == v1::PHASE_UNSPECIFIED)
    return bad("unknown phase");
  if (!v1::Mode_IsValid(transfer.mode())) return bad("unknown mode");
  if (!v1::Verification_Result_IsValid(transfer.verification().result()))
    return bad("unknown verification result");
  if (has_ended(transfer.phase()) != transfer.has_completion_time())
    return bad("phase and completion time contradict each other");
  if ((transfer.phase() == v1::PHASE_FAILED) != transfer.has_error())
    return bad("phase and error contradict each other");
  return {};
}

Result<std::string> to_bytes(const internal::TransferRecord& record) {
  if (auto valid = check_record(record); !valid) return std::unexpected(valid.error());
  std::string bytes = record.SerializeAsString();
  if (bytes.size() > kMaxRecord)
    return fail(Code::kInternal, "a transfer record has {} bytes, but at most {} are allowed",
                bytes.size(), kMaxRecord);
  return bytes;
}

Result<internal::TransferRecord> from_bytes(std::string_view bytes, const TransferKey& key) {
  internal::TransferRecord record;
  if (bytes.size() > kMaxRecord ||
      !record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return std::unexpected(bad("it is not a serialized record").error());
  if (auto valid = check_record(record); !valid) return std::unexpected(valid.error());
  if (key_of(record) != key) return std::unexpected(bad("it belongs to another transfer").error());
  return record;
}

}  // namespace lvmd::transfers
