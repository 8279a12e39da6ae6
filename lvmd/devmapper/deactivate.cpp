#include "lvmd/devmapper/deactivate.hpp"

#include "lvmd/devmapper/dm_control.hpp"
#include "lvmd/model/mapped_name.hpp"

namespace lvmd::devmapper {

Result<bool> deactivate(std::string_view vg_id, std::string_view lv_id) {
  const auto control = DmControl::open();
  if (!control) return std::unexpected(control.error());
  return control->remove(model::mapped_uuid(vg_id, lv_id));
}

}  // namespace lvmd::devmapper
