// The volumes that lvmd lists, and the objects that volumes belong to.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {

// A volume in lvmd's list.
struct ListedVolume {
  // A class that lists the volume. Classes that share a volume group list the same volumes.
  std::string device_class;
  std::string name;
  // "/dev/vg0/name": unique, unlike the name.
  std::string path;
  Bytes size;
  // The store that the volume was created for [R-LEDG-6]; empty: none, or unknown.
  std::string owner{};

  friend bool operator==(const ListedVolume&, const ListedVolume&) = default;
};

// A configured class whose volumes lvmd cannot list now, and the reason.
struct UnusableClass {
  std::string name;
  std::string problem;

  friend bool operator==(const UnusableClass&, const UnusableClass&) = default;
};

// Everything that lvmd lists at one time.
struct Inventory {
  // The classes that were listed. The empty name is the default class.
  std::set<std::string> classes;
  // Each path once.
  std::vector<ListedVolume> volumes;
  // The classes that were not listed. Known only with `is_complete`.
  std::vector<UnusableClass> unusable{};
  // lvmd reported every configured class and the owner of every volume. An lvmd without
  // lvmd.v1.OwnerService reports neither.
  bool is_complete = false;
};

// The volume that an object refers to, in any state of the object.
struct Claim {
  Key key;
  // The volume's name.
  std::string uid;
  // As spec.deviceClass and spec.vgName.
  std::string device_class;
  std::string vg_name;
  // The volume was created and must exist: it is not to be removed, and not stored in a repository.
  bool has_volume = false;

  friend bool operator==(const Claim&, const Claim&) = default;
};

}  // namespace lvmd::reconciler
