// What csi-controller expects of an ObjectStore, as parts of Catch2 cases.
#pragma once

#include <functional>
#include <string>

#include "csi/controller/object_store.hpp"

namespace lvmd::controller::test {

// Changes by others: reconcilers and people.
struct OtherWriters {
  // Adds a finalizer to an object, or removes all.
  std::function<void(const std::string& name)> hold;
  std::function<void(const std::string& name)> release;
  // Sets status.volumeID.
  std::function<void(const std::string& name, const std::string& handle)> set_handle;
};

// A node that the objects name. It need not exist.
inline constexpr const char* kContractNode = "contract-node";

void check_creation(ObjectStore& store);
void check_growth(ObjectStore& store, const OtherWriters& others);
void check_removal(ObjectStore& store, const OtherWriters& others);
void check_reports(ObjectStore& store, const OtherWriters& others);

}  // namespace lvmd::controller::test
