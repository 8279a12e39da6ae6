// A directory store on temporary directories, with a clock that the test moves.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "reconciler/directory/directory_store.hpp"

namespace lvmd::reconciler::test {

class DirectoryWorld {
 public:
  DirectoryWorld() {
    std::string pattern = std::filesystem::temp_directory_path() / "lvmd-directory-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
    std::filesystem::create_directory(folder());
  }
  DirectoryWorld(const DirectoryWorld&) = delete;
  DirectoryWorld& operator=(const DirectoryWorld&) = delete;
  ~DirectoryWorld() {
    store_.reset();
    std::filesystem::remove_all(root_);
  }

  [[nodiscard]] std::filesystem::path folder() const { return root_ / "manifests"; }
  [[nodiscard]] std::filesystem::path state() const { return root_ / "state"; }

  [[nodiscard]] Result<std::unique_ptr<directory::DirectoryStore>> open() {
    return directory::DirectoryStore::open({.folder = folder(),
                                            .state_directory = state(),
                                            .delete_after = std::chrono::seconds{60},
                                            .node_name = "n1"},
                                           [this] { return now_; });
  }

  // As after a crash: the new store starts from the files alone.
  void restart() {
    store_.reset();
    auto opened = open();
    REQUIRE(opened.has_value());
    store_ = std::move(*opened);
    poll();
  }

  directory::DirectoryStore& store() { return *store_; }
  std::vector<Key> poll() { return store_->poll(); }

  void pass_time(std::chrono::milliseconds time) {
    now_ += time;
    poll();
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder() / name} << text;
  }
  void write_state(const std::string& name, const std::string& text) const {
    std::ofstream{state() / name} << text;
  }
  void put(const std::string& object, const std::string& extra = "") const {
    write(object + ".yaml", document(object, extra));
  }
  void remove(const std::string& object) const {
    std::filesystem::remove(folder() / (object + ".yaml"));
  }

  static std::string document(const std::string& object, const std::string& extra = "") {
    return "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata:\n  name: " + object + "\n" +
           extra + "spec:\n  size: 1Gi\n  deviceClass: ssd\n";
  }

  [[nodiscard]] std::string state_text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream{state() / name}.rdbuf();
    return text.str();
  }
  [[nodiscard]] bool has_state(const std::string& name) const {
    return std::filesystem::exists(state() / name);
  }

  LogicalVolume get(const std::string& object) {
    const auto found = store_->get({.name = object});
    REQUIRE(found.has_value());
    return *found;
  }
  bool offers(const std::string& object) { return store_->get({.name = object}).has_value(); }
  bool removes(const std::string& object) {
    const auto found = store_->get({.name = object});
    return found && found->removal_wanted;
  }

  // All writes of a reconciliation that creates a volume.
  LogicalVolume make(const std::string& object) {
    put(object);
    poll();
    auto has_metadata = store_->add_finalizer(get(object));
    REQUIRE(has_metadata.has_value());
    auto written = store_->write_status(
        *has_metadata, {.volume_id = has_metadata->uid, .current_size = Bytes{1073741824}});
    REQUIRE(written.has_value());
    return *written;
  }

 private:
  std::filesystem::path root_;
  directory::DirectoryStore::Time now_{std::chrono::hours{1}};
  std::unique_ptr<directory::DirectoryStore> store_;
};

}  // namespace lvmd::reconciler::test
