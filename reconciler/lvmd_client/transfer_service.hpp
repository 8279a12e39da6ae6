// The calls of lvmd's TransferService that the reconciler uses. Codes and rules: docs/protocol.md,
// P-XFER-*.
#pragma once

#include <functional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// A repository, and how it is opened. All but the location is from `settings`.
struct RepositoryAccess {
  std::string location;
  LocationSettings settings;
};

struct TransferRequest {
  std::string id{};
  // Not used by a deletion.
  VolumeName volume{};
  RepositoryAccess repository{};
  // Of the backup, for a restore; one of them may be empty. A deletion has only a backup_id.
  std::string snapshot_id{};
  std::string backup_id{};
};

// Safe from every thread. A failed call returns lvmd's code and message; Unavailable when lvmd
// cannot be reached. All calls but check() and watch() return soon: lvmd continues what they start.
class TransferService {
 public:
  TransferService() = default;
  TransferService(const TransferService&) = delete;
  TransferService& operator=(const TransferService&) = delete;
  virtual ~TransferService() = default;

  // When repeated, returns the transfer that runs or has succeeded. After a failure, starts it
  // again.
  [[nodiscard]] virtual Result<Transfer> start(Operation operation,
                                               const TransferRequest& request) = 0;

  // Checks whether the repository can be used. Returns the check after its end. A check that
  // already runs under that id is waited for.
  [[nodiscard]] virtual Result<Transfer> check(const std::string& id,
                                               const RepositoryAccess& repository) = 0;

  // NotFound: lvmd does not know the transfer.
  [[nodiscard]] virtual Result<Transfer> get(const TransferName& name) = 0;
  [[nodiscard]] virtual Result<Transfer> cancel(const TransferName& name) = 0;

  // Calls `callback` with the current state of the transfer, and with each change. Returns when the
  // transfer has ended, lvmd has become unavailable, or stop() was called.
  using Callback = std::function<void(const Transfer&)>;
  [[nodiscard]] virtual Status watch(const TransferName& name, const Callback& callback) = 0;

  // Ends every call in progress, and all later ones, with Cancelled. The transfers continue.
  virtual void stop() = 0;
};

}  // namespace lvmd::reconciler
