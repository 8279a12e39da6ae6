// The LogicalVolume objects of one file. Rules: docs/reconciler.md, R-DOC-*.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

struct Manifest {
  // key, labels, annotations and spec; `defect` says why the document is not usable.
  LogicalVolume object;
  // `lvmd.io/state: absent` [R-DOC-6].
  bool absent = false;
  std::string file;
};

struct ManifestFile {
  std::vector<Manifest> manifests;
  // Documents of other kinds [R-DOC-1].
  std::size_t skipped = 0;
};

// Why no document of the file can be used [R-DOC-2].
struct FileProblem {
  std::string name{};
  int line = 0;  // 0: unknown
  std::string message{};

  friend bool operator==(const FileProblem&, const FileProblem&) = default;
};

[[nodiscard]] std::expected<ManifestFile, FileProblem> parse_manifest_file(const std::string& name,
                                                                           const std::string& text);

// [R-DOC-3]
[[nodiscard]] bool is_valid_name(const Key& key);

}  // namespace lvmd::reconciler::directory
