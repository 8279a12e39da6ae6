#include "lvmd/model/device_class.hpp"

#include <algorithm>

namespace lvmd::model {

const DeviceClass* ClassCatalog::find_device_class(std::string_view name) const {
  const auto found = std::ranges::find_if(device_classes, [name](const DeviceClass& candidate) {
    return name.empty() ? candidate.is_default : candidate.name == name;
  });
  return found == device_classes.end() ? nullptr : &*found;
}

const OptionClass* ClassCatalog::find_option_class(std::string_view name) const {
  const auto found = std::ranges::find(option_classes, name, &OptionClass::name);
  return found == option_classes.end() ? nullptr : &*found;
}

}  // namespace lvmd::model
