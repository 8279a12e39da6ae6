// The controller's requests to the API server as JSON, and its responses. Rules: C-KUBE-*.
#pragma once

#include <string>
#include <string_view>

#include "csi/controller/desired_object.hpp"
#include "csi/controller/object_store.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller::kube {

// The body of a POST. Empty fields are left out, as by TopoLVM.
[[nodiscard]] std::string new_object_body(const NewObject& object);

// A merge patch with the resourceVersion that was read, so that the API server answers 409 after a
// concurrent change.
[[nodiscard]] std::string size_patch(const reconciler::LogicalVolume& object,
                                     reconciler::Bytes size, const std::string& annotation,
                                     const std::string& timestamp);

// The body of a DELETE, which the API server answers with 409 for another or a changed object.
[[nodiscard]] std::string removal_body(const reconciler::LogicalVolume& object, Removal removal);

// The response to a DELETE: the object while finalizers keep it, otherwise absent.
[[nodiscard]] Result<Report> parse_removal(reconciler::Group group, std::string_view text);

// A 409 in response to a POST means that there is an object of the name, and not that another
// object, such as a quota, has changed.
[[nodiscard]] bool is_already_exists(std::string_view text);

}  // namespace lvmd::controller::kube
