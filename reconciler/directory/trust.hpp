// Decides whether a missing document is a request to remove the volume. Rules: R-DIR-5, R-DIR-6.
#pragma once

#include <cstddef>
#include <string>

#include "reconciler/directory/folder.hpp"

namespace lvmd::reconciler::directory {

class Trust {
 public:
  // `recorded`: the folder of the first start. `objects`: the number of objects that have a record
  // and are not to be removed.
  Trust(std::string path, FolderIdentity recorded, std::size_t objects)
      : path_(std::move(path)), recorded_(recorded), last_objects_(objects) {}

  // Why the folder is not trusted, with the remedy; empty: it is trusted. `objects`: the number of
  // objects in the reading that are not to be removed. Call it once for every reading, in order: it
  // remembers the number for the comparison with an empty folder.
  [[nodiscard]] std::string judge(const FolderReading& reading, std::size_t objects);

  // The folder is trusted, and its record is from a version that did not store the time of
  // creation. The record should be completed.
  [[nodiscard]] bool can_learn_from(const FolderReading& reading) const {
    return recorded_.born == 0 && reading.identity.born != 0;
  }
  void learn(FolderIdentity identity) { recorded_ = identity; }

 private:
  std::string path_;
  FolderIdentity recorded_;
  std::size_t last_objects_;
};

}  // namespace lvmd::reconciler::directory
