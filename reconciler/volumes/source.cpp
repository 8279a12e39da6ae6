#include "reconciler/volumes/source.hpp"

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {

std::optional<Error> check_source_fields(const LogicalVolume& desired) {
  const VolumeSpec& spec = desired.spec;
  if (spec.source.empty()) return std::nullopt;
  if (spec.source == desired.key.name)
    return make_error(Code::kInvalidArgument, "spec.source \"{}\" is the object itself",
                      spec.source)
        .because(own_reason::kInvalidSource);
  if (spec.access_type != "ro" && spec.access_type != "rw")
    return make_error(Code::kInvalidArgument,
                      "spec.accessType \"{}\": write ro for a snapshot of spec.source \"{}\", or "
                      "rw for a clone",
                      spec.access_type, spec.source)
        .because(own_reason::kInvalidAccessType);
  return std::nullopt;
}

std::optional<Error> check_source(const LogicalVolume& desired, const Source& source,
                                  Bytes wanted) {
  const std::string& name = desired.spec.source;
  if (!source.exists)
    return make_error(Code::kNotFound, "spec.source \"{}\": there is no such LogicalVolume in {}",
                      name, to_string(desired.key.group))
        .because(own_reason::kNoSourceObject);
  const std::string& node = desired.spec.node_name;
  if (!node.empty() && !source.node_name.empty() && source.node_name != node)
    return make_error(Code::kFailedPrecondition,
                      "spec.source \"{}\" is on node {}, not on {}: a snapshot must be on the node "
                      "of its source",
                      name, source.node_name, node)
        .because(own_reason::kSourceOnOtherNode);
  if (source.volume_id.empty())
    return make_error(Code::kUnavailable, "spec.source \"{}\" has no volume yet", name)
        .because(own_reason::kSourceNotReady);
  if (source.size && wanted < *source.size)
    return make_error(Code::kOutOfRange,
                      "spec.size \"{}\" is less than the {} of spec.source \"{}\": a snapshot must "
                      "be at least as large as its source",
                      desired.spec.size, format_quantity(*source.size), name)
        .because(own_reason::kSmallerThanSource);
  return std::nullopt;
}

}  // namespace lvmd::reconciler
