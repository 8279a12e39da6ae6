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

struct BackupRequest {
  std::string id;
  VolumeName volume;
  RepositoryAccess repository;
};

struct RestoreRequest {
  std::string id;
  VolumeName volume;
  RepositoryAccess repository;
  // One of them may be empty.
  std::string snapshot_id;
  std::string backup_id;
};

struct DeletionRequest {
  std::string id;
  RepositoryAccess repository;
  std::string backup_id;
};

struct CheckRequest {
  std::string id;
  RepositoryAccess repository;
};

// Safe from every thread. A failed call returns lvmd's code and message; Unavailable when lvmd
// cannot be reached. All calls but check() and watch() return soon: lvmd continues what they start.
class TransferService {
 public:
  TransferService() = default;
  TransferService(const TransferService&) = delete;
  TransferService& operator=(const TransferService&) = delete;
  virtual ~TransferService() = default;

  // When repeated, they return the transfer that runs or has succeeded. After a failure they start
  // it again.
  [[nodiscard]] virtual Result<Transfer> start_backup(const BackupRequest& request) = 0;
  [[nodiscard]] virtual Result<Transfer> start_restore(const RestoreRequest& request) = 0;
  [[nodiscard]] virtual Result<Transfer> delete_backup(const DeletionRequest& request) = 0;

  // Checks whether the repository can be used. Returns the check after its end. A check that
  // already runs under that id is waited for.
  [[nodiscard]] virtual Result<Transfer> check(const CheckRequest& request) = 0;

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
