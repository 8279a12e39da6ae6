// The record of a transfer: its progress or its result. It contains no secret. All functions are
// pure; record_files.hpp reads and writes the files.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {

using Time = std::chrono::system_clock::time_point;

[[nodiscard]] google::protobuf::Timestamp to_timestamp(Time time);
[[nodiscard]] Time from_timestamp(const google::protobuf::Timestamp& timestamp);

// Whether the phase is SUCCEEDED, FAILED or CANCELLED.
[[nodiscard]] bool has_ended(v1::Phase phase);

// Whether a Start of the same name starts the transfer again: it failed or was cancelled, or it is
// a check that succeeded. The result of an earlier check does not describe the present state
// [P-XFER-1, P-XFER-20].
[[nodiscard]] bool can_start_again(const v1::Transfer& transfer);

[[nodiscard]] TransferKey key_of(const internal::TransferRecord& record);

// Returns the record of a transfer that is about to run: PENDING, pid 0, start time `now`.
[[nodiscard]] internal::TransferRecord new_record(const internal::MoverJob& job, Time now);

// Returns the SHA-256 of everything that the caller requested [P-XFER-1]. Excludes what may differ
// when the same request is repeated: the credentials, the attempt, the settings, the mark, and all
// fields of the device but its names.
[[nodiscard]] std::string spec_digest(const internal::MoverJob& job);

// Checks what readers rely on: the key is valid; phase, mode and verification result are known
// values; an ended transfer has a completion time; a failed one has an error. Internal, with the
// violated rule, otherwise.
[[nodiscard]] Status check_record(const internal::TransferRecord& record);

// Converts a record to the content of its file and back. `from_bytes` returns an error for a record
// that check_record() rejects and for a record with another key.
[[nodiscard]] Result<std::string> to_bytes(const internal::TransferRecord& record);
[[nodiscard]] Result<internal::TransferRecord> from_bytes(std::string_view bytes,
                                                          const TransferKey& key);

}  // namespace lvmd::transfers
