// What the reconciler asks of lvmd's TransferService. Codes and rules: docs/protocol.md, P-XFER-*.
#pragma once

#include <functional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// A repository with what it is opened with. `storage` gives all but the location.
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
  // One of both may be empty.
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

// Every call may be made from every thread, and answers lvmd's code and message on failure;
// Unavailable when lvmd can't be reached. All but check() and watch() answer soon: what they
// begin goes on at lvmd.
class TransferService {
 public:
  TransferService() = default;
  TransferService(const TransferService&) = delete;
  TransferService& operator=(const TransferService&) = delete;
  virtual ~TransferService() = default;

  // Repeated, they answer the one that runs or has succeeded; after a failure they begin anew.
  [[nodiscard]] virtual Result<Transfer> start_backup(const BackupRequest& request) = 0;
  [[nodiscard]] virtual Result<Transfer> start_restore(const RestoreRequest& request) = 0;
  [[nodiscard]] virtual Result<Transfer> delete_backup(const DeletionRequest& request) = 0;

  // Whether the store can be used. Answers when that is known, with the check as it has ended; one
  // that goes on already under that id is waited for.
  [[nodiscard]] virtual Result<Transfer> check(const CheckRequest& request) = 0;

  // NotFound: lvmd doesn't know it (any more).
  [[nodiscard]] virtual Result<Transfer> get(const TransferName& name) = 0;
  [[nodiscard]] virtual Result<Transfer> cancel(const TransferName& name) = 0;

  // Calls `told` with the transfer as it is, then with each change. Returns when the transfer has
  // ended, lvmd went away, or stop() was called.
  using Told = std::function<void(const Transfer&)>;
  [[nodiscard]] virtual Status watch(const TransferName& name, const Told& told) = 0;

  // Ends every call under way with Cancelled, and all later ones. The transfers go on.
  virtual void stop() = 0;
};

}  // namespace lvmd::reconciler
