// SnapshotBackupStorage objects as the API server writes them, and their status as it takes it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler::kube {

// InvalidArgument when it has no namespace, name or UID. A status whose phase is none that there is
// is absent.
[[nodiscard]] Result<BackupLocation> location_from_json(const nlohmann::json& object);

// The same from text.
[[nodiscard]] Result<BackupLocation> parse_backup_location(std::string_view text);

// A merge patch of the /status subresource, with the resourceVersion of what was read.
[[nodiscard]] std::string location_status_patch(const BackupLocation& location,
                                                const BackupLocationStatus& status);

}  // namespace lvmd::reconciler::kube
