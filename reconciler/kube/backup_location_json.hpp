// SnapshotBackupStorage objects in the API server's JSON, and patches of their status.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler::kube {

// InvalidArgument when the object has no namespace, name or UID. A status with an unknown phase
// counts as absent.
[[nodiscard]] Result<BackupLocation> location_from_json(const nlohmann::json& object);

// The same from text.
[[nodiscard]] Result<BackupLocation> parse_backup_location(std::string_view text);

// A merge patch of the /status subresource, with the resourceVersion that was read.
[[nodiscard]] std::string location_status_patch(const BackupLocation& location,
                                                const BackupLocationStatus& status);

}  // namespace lvmd::reconciler::kube
