// What there is: the volumes that lvmd lists, and the objects that volumes belong to.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {

// A volume as GetLVList has it.
struct ListedVolume {
  // A class that lists it: several may, when they share a volume group.
  std::string device_class;
  std::string name;
  // "/dev/vg0/name": unlike the name it is one volume's alone.
  std::string path;
  Bytes size;
  // The store that it was made for [R-LEDG-6]; empty: nobody's, or not known.
  std::string owner{};

  friend bool operator==(const ListedVolume&, const ListedVolume&) = default;
};

// A configured class whose volumes lvmd can't list now, and why.
struct UnusableClass {
  std::string name;
  std::string problem;

  friend bool operator==(const UnusableClass&, const UnusableClass&) = default;
};

// Everything that lvmd lists at one time.
struct Inventory {
  // The classes that were listed; the empty name is the default class.
  std::set<std::string> classes;
  // Each path once.
  std::vector<ListedVolume> volumes;
  // The classes that were not listed. Known only when `is_complete`.
  std::vector<UnusableClass> unusable{};
  // lvmd told every configured class and the owner of every volume. An lvmd without
  // lvmd.v1.OwnerService tells neither.
  bool is_complete = false;
};

// An object's hold on a volume, whatever state the object is in.
struct Claim {
  Key key;
  // The volume's name.
  std::string uid;
  // As spec.deviceClass and spec.vgName.
  std::string device_class;
  std::string vg_name;
  // The volume was made, and has to be there: nothing asks to remove it, and it is not stored
  // elsewhere.
  bool has_volume = false;

  friend bool operator==(const Claim&, const Claim&) = default;
};

}  // namespace lvmd::reconciler
