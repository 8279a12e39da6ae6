#include "lvmd/transfers/mover/restic_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "lvmd/transfers/mover/step_result.hpp"

namespace lvmd::transfers::mover {
namespace {

// How long restic may try to open an unreachable repository.
constexpr std::chrono::seconds kOpeningTimeout{60};

// restic's specific exit codes. All other failures are identified by their texts.
constexpr int kLockFailed = 11;
constexpr int kWrongPassword = 12;

constexpr std::string_view kNoBucket = "specified bucket does not exist";

struct Pattern {
  // In lower case.
  std::string_view text;
  std::string_view reason;
  bool transient = false;
};

// The first match is used, so more specific texts come first.
constexpr auto kPatterns = std::to_array<Pattern>({
    {"wrong password or no key found", cause::kWrongPassword},
    {"unable to create lock in backend: repository is already locked", cause::kLocked, true},
    {"repository does not exist", cause::kRepositoryNotFound},
    {kNoBucket, cause::kRepositoryNotFound},
    {"nosuchbucket", cause::kRepositoryNotFound},
    {"no space left on device", cause::kRepositoryFull},
    {"disk quota exceeded", cause::kRepositoryFull},
    {"insufficient storage", cause::kRepositoryFull},
    {"storage full", cause::kRepositoryFull},
    {"storagefull", cause::kRepositoryFull},
    {"quotaexceeded", cause::kRepositoryFull},
    {"quota exceeded", cause::kRepositoryFull},
    {"no matching id found", cause::kSnapshotNotFound},
    {"failed to find snapshot", cause::kSnapshotNotFound},
    {"could not find snapshot", cause::kSnapshotNotFound},
    {"no snapshot found", cause::kSnapshotNotFound},
    {"ciphertext verification failed", cause::kDamaged},
    {"repository contains errors", cause::kDamaged},
    {"pack file cannot be listed", cause::kDamaged},
    {"invalid data returned", cause::kDamaged},
    {"does not match id", cause::kDamaged},
    {"hash mismatch", cause::kDamaged},
    {"is corrupted", cause::kDamaged},
    {"is damaged", cause::kDamaged},
    {"not found in index", cause::kDamaged},
    {"not found in repository", cause::kDamaged},
    {"unable to fetch blob", cause::kDamaged},
    {"invalid file size for", cause::kDamaged},
    {"unexpected content in", cause::kDamaged},
    {"decompression failed", cause::kDamaged},
    {"decrypting blob", cause::kDamaged},
    {"access denied", cause::kAccessDenied},
    {"accessdenied", cause::kAccessDenied},
    {"access key id you provided does not exist", cause::kAccessDenied},
    {"invalidaccesskeyid", cause::kAccessDenied},
    {"no user exists with the provided access key", cause::kAccessDenied},
    {"signaturedoesnotmatch", cause::kAccessDenied},
    {"request signature we calculated does not match", cause::kAccessDenied},
    {"expired token", cause::kAccessDenied},
    {"expiredtoken", cause::kAccessDenied},
    {"security token", cause::kAccessDenied},
    {"401 unauthorized", cause::kAccessDenied},
    {"403 forbidden", cause::kAccessDenied},
    {"(401)", cause::kAccessDenied},
    {"(403)", cause::kAccessDenied},
    {"permission denied", cause::kAccessDenied},
    {"operation not permitted", cause::kAccessDenied},
    {"read-only file system", cause::kAccessDenied},
    {"x509:", cause::kUnreachable},
    {"certificate signed by unknown authority", cause::kUnreachable},
    {"server gave http response to https client", cause::kUnreachable},
    {"no such host", cause::kUnreachable, true},
    {"connection refused", cause::kUnreachable, true},
    {"connection reset", cause::kUnreachable, true},
    {"connection timed out", cause::kUnreachable, true},
    {"no route to host", cause::kUnreachable, true},
    {"network is unreachable", cause::kUnreachable, true},
    {"host is down", cause::kUnreachable, true},
    {"i/o timeout", cause::kUnreachable, true},
    {"tls handshake timeout", cause::kUnreachable, true},
    {"context deadline exceeded", cause::kUnreachable, true},
    {"request timeout", cause::kUnreachable, true},
    {"temporary failure in name resolution", cause::kUnreachable, true},
    {"server misbehaving", cause::kUnreachable, true},
    {"broken pipe", cause::kUnreachable, true},
    {"use of closed network connection", cause::kUnreachable, true},
    {"500 internal server error", cause::kUnreachable, true},
    {"(500)", cause::kUnreachable, true},
    {"502 bad gateway", cause::kUnreachable, true},
    {"(502)", cause::kUnreachable, true},
    {"503 service unavailable", cause::kUnreachable, true},
    {"(503)", cause::kUnreachable, true},
    {"504 gateway", cause::kUnreachable, true},
    {"(504)", cause::kUnreachable, true},
    {": eof", cause::kUnreachable, true},
    {"unexpected eof", cause::kUnreachable, true},
});

struct Phrase {
  std::string_view reason;
  fmt::format_string<const std::string&> text;
};

constexpr auto kPhrases = std::to_array<Phrase>({
    {cause::kWrongPassword, "wrong password for repository {}: correct credentials.password"},
    {cause::kLocked,
     "another program has held a lock of repository {} for 5 minutes: try again when it has "
     "ended"},
    {cause::kRepositoryNotFound, "there is no repository at {}: correct repository.location"},
    {cause::kRepositoryFull, "repository {} has no space left: free space there"},
    {cause::kNoSpace, "the volume is too small for the backup: restore onto a larger one"},
    {cause::kSnapshotNotFound,
     "repository {} does not contain the snapshot: correct snapshot_id or backup_id"},
    {cause::kDamaged, "repository {} is damaged: check it with `restic check --read-data`"},
    {cause::kAccessDenied,
     "access to repository {} is denied: correct the credentials or their permissions"},
    {cause::kUnreachable, "cannot reach repository {}: check host, port, certificates and network"},
});

std::string lower(std::string_view text) {
  std::string result{text};
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

Pattern cause_of(const ResticFailure& failure) {
  if (failure.exit_code == kNoRepository) return {{}, cause::kRepositoryNotFound};
  if (failure.exit_code == kLockFailed) return {{}, cause::kLocked, true};
  if (failure.exit_code == kWrongPassword) return {{}, cause::kWrongPassword};
  const std::string text = lower(failure.errors);
  for (const Pattern& pattern : kPatterns) {
    if (!text.contains(pattern.text)) continue;
    // A restore writes only to the volume.
    if (pattern.reason == cause::kRepositoryFull && failure.step == code::kRestore)
      return {{}, cause::kNoSpace};
    return pattern;
  }
  return {{}, cause::kMoverFailed};
}

// Describes the cause and what to do.
std::string phrase(const Pattern& found, const std::string& repository) {
  if (found.text == kNoBucket)
    return fmt::format(
        "the bucket of repository {} does not exist: create it, or correct "
        "repository.location",
        repository);
  const auto* const known = std::ranges::find(kPhrases, found.reason, &Phrase::reason);
  if (known == kPhrases.end()) return fmt::format("restic failed with repository {}", repository);
  return fmt::format(known->text, repository);
}

// Returns the last line that is not a mere count of the errors before it.
std::string_view last_line(std::string_view text) {
  for (;;) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const std::size_t begin = text.rfind('\n');
    if (begin == std::string_view::npos) return text;
    const std::string_view line = text.substr(begin + 1);
    if (!line.starts_with("Fatal: There were ")) return line;
    text = text.substr(0, begin);
  }
}

}  // namespace

v1::TransferError explain(const ResticFailure& failure) {
  const Pattern found = cause_of(failure);
  const std::string_view last = last_line(failure.errors);
  std::string message =
      fmt::format("{} (restic {} {} {}{}{})", phrase(found, failure.repository), failure.command,
                  failure.exit_code < 0 ? "was killed by signal" : "failed with exit code",
                  failure.exit_code < 0 ? -failure.exit_code : failure.exit_code,
                  last.empty() ? "" : ": ", last);
  return transfer_error(failure.step, found.reason, std::move(message), found.transient);
}

v1::TransferError explain_stall(v1::TransferError stalled, const ResticFailure& failure) {
  if (auto error = explain(failure); error.reason() == cause::kUnreachable) return error;
  if (const std::string_view last = last_line(failure.errors); !last.empty())
    stalled.set_message(fmt::format("{} (last message of restic {}: {})", stalled.message(),
                                    failure.command, last));
  return stalled;
}

bool is_hopeless(const v1::TransferError& error, std::string_view line,
                 std::chrono::steady_clock::duration tried) {
  const bool tries_again = line.contains("retrying after");
  if (tries_again && !error.transient() && error.reason() != cause::kMoverFailed) return true;
  return (tries_again || error.reason() == cause::kUnreachable) && tried >= kOpeningTimeout;
}

bool is_out_of_space(const v1::TransferError& error, std::string_view line) {
  const bool is_request = line.contains("retrying after") || line.contains(") failed: ");
  return is_request && error.reason() == cause::kRepositoryFull;
}

}  // namespace lvmd::transfers::mover
