// The record of a transfer: what it is at, or how it ended. No secret is in it. Pure functions; the
// files are in record_files.hpp.
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

// SUCCEEDED, FAILED or CANCELLED.
[[nodiscard]] bool has_ended(v1::Phase phase);

// A Start of that name begins it anew: it failed or was cancelled, or it is a check that has
// succeeded, which says nothing of what is true by now [P-XFER-1, P-XFER-20].
[[nodiscard]] bool begins_anew(const v1::Transfer& transfer);

[[nodiscard]] TransferKey key_of(const internal::TransferRecord& record);

// A record of a transfer that is about to run: PENDING, pid 0, begun `now`.
[[nodiscard]] internal::TransferRecord new_record(const internal::MoverJob& job, Time now);

// A job's fields as SHA-256 [P-XFER-1]: all that its caller asked for, without credentials; not the
// attempt, the settings, the mark and all of the device but its names, which may be others when the
// same is asked again.
[[nodiscard]] std::string spec_digest(const internal::MoverJob& job);

// What a record's reader may rely on: the key is valid, phase, mode and results are known values,
// an ended one has its completion time, a failed one its error. Internal otherwise, saying what is
// wrong.
[[nodiscard]] Status check_record(const internal::TransferRecord& record);

// A record's file, and back. `from_bytes` never answers a record that check_record() refuses, or
// one of another key.
[[nodiscard]] Result<std::string> to_bytes(const internal::TransferRecord& record);
[[nodiscard]] Result<internal::TransferRecord> from_bytes(std::string_view bytes,
                                                          const TransferKey& key);

}  // namespace lvmd::transfers
