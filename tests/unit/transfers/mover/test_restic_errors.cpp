#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/transfers/mover/restic_errors.hpp"
#include "lvmd/transfers/mover/step_result.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

namespace {

struct Case {
  std::string_view step;
  int exit_code;
  std::string errors;
  std::string_view reason;
  bool transient = false;
};

v1::TransferError explained(const Case& sample) {
  return explain({.step = sample.step,
                  .exit_code = sample.exit_code,
                  .errors = sample.errors,
                  .repository = "rest:https://host/",
                  .command = "backup"});
}

}  // namespace

TEST_CASE("restic's failures are mapped to their causes [P-XFER-12]", "[mover]") {
  const std::vector<Case> cases{
      {code::kBackup, 10, "", cause::kRepositoryNotFound},
      {code::kBackup, 11, "", cause::kLocked, true},
      {code::kBackup, 12, "Fatal: wrong password or no key found", cause::kWrongPassword},
      // The form of restic 0.17.0.
      {code::kBackup, 1, "Fatal: wrong password or no key found", cause::kWrongPassword},
      {code::kBackup, 1,
       "Fatal: unable to open config file: Head \"https://host/config\": dial tcp: lookup host: no "
       "such host",
       cause::kUnreachable, true},
      {code::kDelete, 1, "dial tcp 10.0.0.1:8000: connect: connection refused", cause::kUnreachable,
       true},
      {code::kBackup, 1, "Head \"https://host/\": x509: certificate signed by unknown authority",
       cause::kUnreachable},
      {code::kBackup, 1, "unexpected HTTP response (503): 503 Service Unavailable",
       cause::kUnreachable, true},
      {code::kBackup, 1, "Fatal: unable to open repository: Access Denied.", cause::kAccessDenied},
      {code::kBackup, 1, "server response unexpected: 401 Unauthorized (401)",
       cause::kAccessDenied},
      {code::kBackup, 1, "The Access Key Id you provided does not exist in our records.",
       cause::kAccessDenied},
      {code::kCheck, 1,
       "Fatal: unable to open config file: Stat: The specified bucket does not exist",
       cause::kRepositoryNotFound},
      {code::kBackup, 1, "write /repository/data/x: no space left on device",
       cause::kRepositoryFull},
      {code::kBackup, 1, "unexpected HTTP response (507): 507 Insufficient Storage",
       cause::kRepositoryFull},
      {code::kRestore, 1, "write /volume/a: no space left on device", cause::kNoSpace},
      {code::kRestore, 1, "Fatal: failed to find snapshot: no matching ID found for prefix \"ab\"",
       cause::kSnapshotNotFound},
      {code::kRestore, 1, "ciphertext verification failed", cause::kDamaged},
      {code::kVerification, 1, "Fatal: repository contains errors", cause::kDamaged},
      {code::kRestore, 1, "blob 1234 not found in index", cause::kDamaged},
      {code::kBackup, 2, "panic: runtime error", cause::kMoverFailed},
      {code::kBackup, 126, "", cause::kMoverFailed},
      {code::kBackup, -9, "", cause::kMoverFailed},
  };
  for (const Case& sample : cases) {
    INFO(sample.exit_code << " " << sample.errors);
    const v1::TransferError error = explained(sample);
    CHECK(error.code() == sample.step);
    CHECK(error.reason() == sample.reason);
    CHECK(error.transient() == sample.transient);
  }
}

TEST_CASE("the message contains the repository and the last message of restic [P-XFER-12]",
          "[mover]") {
  CHECK(explained({code::kBackup, 12, "something\nFatal: wrong password\n", ""}).message() ==
        "wrong password for repository rest:https://host/: correct credentials.password "
        "(restic backup failed with exit code 12: Fatal: wrong password)");
  CHECK(explained({code::kRestore, 1, "/volume/a: hash mismatch\nFatal: There were 1 errors\n", ""})
            .message()
            .ends_with("(restic backup failed with exit code 1: /volume/a: hash mismatch)"));
  CHECK(explained({code::kBackup, -9, "", ""}).message() ==
        "restic failed with repository rest:https://host/ (restic backup was killed by signal 9)");
}

TEST_CASE("a missing bucket has its own message [P-XFER-12, P-XFER-20]", "[mover]") {
  CHECK(explained({code::kCheck, 1, "Stat: The specified bucket does not exist", ""})
            .message()
            .starts_with("the bucket of repository rest:https://host/ does not exist: create it"));
}

TEST_CASE(
    "restic is stopped at once for a permanent cause, and after a minute for a silent "
    "store [P-XFER-14]",
    "[mover]") {
  const auto hopeless = [](const std::string& line, std::chrono::seconds tried) {
    return is_hopeless(explained({code::kCheck, 1, line, ""}), line, tried);
  };
  using std::chrono::seconds;
  const std::string again = "Stat(<config/>) returned error, retrying after 1s: ";
  for (const char* const text : {"The specified bucket does not exist", "Access Denied.",
                                 "No user exists with the provided access key ID.",
                                 "x509: certificate signed by unknown authority"}) {
    CHECK(hopeless(again + text, seconds{0}));
    // This line does not announce a retry.
    CHECK_FALSE(hopeless(text, seconds{0}));
  }
  const std::string away = again + "dial tcp 10.0.0.1:9000: connect: connection refused";
  CHECK_FALSE(hopeless(away, seconds{59}));
  CHECK(hopeless(away, seconds{60}));
  CHECK_FALSE(hopeless(again + "an unknown message", seconds{59}));
  CHECK(hopeless(again + "an unknown message", seconds{60}));
  CHECK_FALSE(hopeless("an unknown message", seconds{600}));
}

TEST_CASE("the error of a stalled run contains the last message of restic [P-XFER-12, P-XFER-14]",
          "[mover]") {
  const auto stalled = [](const std::string& errors) {
    return explain_stall(transfer_error(code::kBackup, cause::kStalled, "no progress", true),
                         {.step = code::kBackup,
                          .exit_code = 1,
                          .errors = errors,
                          .repository = "rest:https://host/",
                          .command = "backup"});
  };
  CHECK(stalled("").message() == "no progress");
  const v1::TransferError odd = stalled("one\nan unknown message\n");
  CHECK(odd.reason() == cause::kStalled);
  CHECK(odd.transient());
  CHECK(odd.message() == "no progress (last message of restic backup: an unknown message)");
  const v1::TransferError away =
      stalled("Save(<data/1>) returned error, retrying after 1s: connect: connection refused\n");
  CHECK(away.reason() == cause::kUnreachable);
}

TEST_CASE("restic is stopped at the first rejection by a full store [P-XFER-14]", "[mover]") {
  const auto full = [](const std::string& line) {
    return is_out_of_space(explained({code::kBackup, 1, line, ""}), line);
  };
  const std::string refused = "unexpected HTTP response (507): 507 Insufficient Storage";
  CHECK(full("Save(<data/46d67ad0e1>) failed: " + refused));
  CHECK(full("Save(<data/46d67ad0e1>) returned error, retrying after 1s: " + refused));
  CHECK(full("Save(<data/46d67ad0e1>) returned error, retrying after 1s: QuotaExceeded"));
  // The last message before restic ends; its exit code follows.
  CHECK_FALSE(full("Fatal: unable to save snapshot: " + refused));
  CHECK_FALSE(
      full("Save(<data/46d67ad0e1>) returned error, retrying after 1s: unexpected HTTP "
           "response (500): 500 Internal Server Error"));
  CHECK_FALSE(explained({code::kRestore, 1, "Load(<data/1>) failed: no space left on device", ""})
                  .reason() == cause::kRepositoryFull);
}
