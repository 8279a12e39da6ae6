// Paths of the API, and its error responses as an Error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler::kube {

// One page of the list of `collection`. `continuation` is the token of the page before; empty for
// the first page. An empty selector selects all objects [R-KUBE-1, R-KUBE-4].
[[nodiscard]] std::string list_path(std::string_view collection, std::string_view field_selector,
                                    std::string_view continuation);

// A watch with bookmarks that the server ends after `seconds` [R-KUBE-2].
[[nodiscard]] std::string watch_path(std::string_view collection, std::string_view field_selector,
                                     std::string_view resource_version, long seconds);

// The LogicalVolumes of a group.
[[nodiscard]] std::string volumes_path(Group group);
[[nodiscard]] std::string object_path(const Key& key);
[[nodiscard]] std::string status_path(const Key& key);

// The SnapshotBackupStorages of a namespace, and one of them.
[[nodiscard]] std::string backup_locations_path(std::string_view namespace_name);
[[nodiscard]] std::string backup_location_path(const LocationName& name);

// "%20" for every character that can have a meaning in a path or a query.
[[nodiscard]] std::string percent_encode(std::string_view text);

// Absent for a success. 400 and 422 are InvalidArgument, 404 NotFound, 409 Aborted, 410 OutOfRange.
// 401 has no code here and is PermissionDenied, like 403. Other statuses are Unavailable. The
// message is the server's, which names verb and resource.
[[nodiscard]] std::optional<Error> error_of(long status, std::string_view body);

// The body of a success. Otherwise error_of(), or why there is no response.
[[nodiscard]] Result<std::string> body_of(Result<HttpResponse> response);

}  // namespace lvmd::reconciler::kube
