// Checks requests for transfers as far as request, configuration and the volume's state suffice
// [P-ORDER-1]. Supervisor and mover check what they receive again.
#pragma once

#include <span>
#include <string>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/v1/transfer.pb.h"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::transfers {

// Checks the device class, then the arguments by ascending field number. Errors name field and
// rule, never a credential. The job lacks the fields that locate_volume() sets, and the settings.
[[nodiscard]] Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                               std::span<const std::string> local_roots,
                                               const v1::StartBackupRequest& request);
[[nodiscard]] Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                               std::span<const std::string> local_roots,
                                               const v1::StartRestoreRequest& request);
[[nodiscard]] Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                               std::span<const std::string> local_roots,
                                               const v1::DeleteBackupRequest& request);
[[nodiscard]] Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                               std::span<const std::string> local_roots,
                                               const v1::StartCheckRequest& request);

// Sets the job's device: a volume of the class that is active, and read-only for a backup
// [P-XFER-7] or writable for a restore. `device_class` as in the request. Does nothing for a job
// without a volume.
[[nodiscard]] Status locate_volume(const model::ClassCatalog& catalog,
                                   const volumes::ReadModel& read_model,
                                   const std::string& device_class, internal::MoverJob& job);

// Checks the transfer name of a request.
[[nodiscard]] Status check(const v1::TransferName& name);

}  // namespace lvmd::transfers
