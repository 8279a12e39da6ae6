// May a gap in the folder be taken for somebody's wish? Rules: R-DIR-5, R-DIR-6.
#pragma once

#include <cstddef>
#include <string>

#include "reconciler/directory/folder.hpp"

namespace lvmd::reconciler::directory {

class Trust {
 public:
  // `recorded`: the folder of the first start. `objects`: how many objects there are records of
  // that nothing asked to remove.
  Trust(std::string path, FolderIdentity recorded, std::size_t objects)
      : path_(std::move(path)), recorded_(recorded), last_objects_(objects) {}

  // Why the folder is not trusted, with what to do about it; empty when it is. `objects`: how many
  // of the reading's objects nothing asks to remove. Remembers what a suddenly empty folder is
  // compared with: call it once for every reading, in order.
  [[nodiscard]] std::string judge(const FolderReading& reading, std::size_t objects);

  // The folder is trusted by a record of before lvmd took down when it was made; the record should
  // have that, too.
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
