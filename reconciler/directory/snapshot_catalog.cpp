#include <fcntl.h>
#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "reconciler/directory/directory_store.hpp"
#include "reconciler/directory/files.hpp"
#include "reconciler/directory/yaml_text.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/model/text_fields.hpp"

namespace lvmd::reconciler::directory {
namespace {

constexpr std::size_t kMaxFile = std::size_t{1} << 16U;

// The file can be added or made readable later. It is read again then.
Result<std::string> read(const std::string& path) {
  auto text = read_file(AT_FDCWD, path, kMaxFile);
  if (text) return text;
  return fail(Code::kUnavailable, "{} cannot be read: {}", path, text.error().message)
      .because(own_reason::kNoCredentials);
}

Failure unusable(const std::string& path, std::string_view why) {
  return fail(Code::kFailedPrecondition, "{}: {}", path, why).because(own_reason::kNoCredentials);
}

Status read_credentials(const std::string& path, LocationSettings& settings) {
  const auto text = read(path);
  if (!text) return std::unexpected(text.error());
  const auto mapping = parse_mapping(*text);
  // An error message of YAML can quote a secret.
  if (!mapping) return unusable(path, "it is not a YAML mapping");
  for (const auto& [key, member] : kCredentialTexts) {
    const YAML::Node value = (*mapping)[key];
    if (value && !value.IsScalar()) return unusable(path, fmt::format("{} is not a string", key));
    if (value) settings.credentials.*member = value.Scalar();
  }
  const YAML::Node certificates = (*mapping)["ca.crt"];
  if (certificates && certificates.IsScalar()) settings.ca_certificates = certificates.Scalar();
  return {};
}

// The manifest's repository, until status.snapshot contains one.
std::string location_of(const LogicalVolume& object) {
  if (object.status.snapshot && !object.status.snapshot->repository.empty()) return {};
  return object.spec.backup ? object.spec.backup->repository : std::string{};
}

class DirectoryCatalog final : public SnapshotCatalog {
 public:
  Result<std::optional<SnapshotClass>> find_class(const LogicalVolume& snapshot) override {
    if (!snapshot.spec.backup) return std::nullopt;
    return SnapshotClass{.mode = std::string{kOnlineMode},
                         .storage = snapshot.spec.backup->storage};
  }

  Result<std::optional<PersistentVolume>> find_persistent_volume(
      const std::string& /*handle*/) override {
    return PersistentVolume{};
  }

  Result<LocationSettings> open_location(const LogicalVolume& object,
                                         const LocationName& name) override {
    LocationSettings settings{.location = location_of(object)};
    if (object.spec.backup) {
      settings.mode = object.spec.backup->mode;
      settings.verify = object.spec.backup->verify;
    }
    auto password = read(name.name);
    if (!password) return std::unexpected(std::move(password.error()));
    // restic reads the file in the same way.
    while (password->ends_with('\n') || password->ends_with('\r')) password->pop_back();
    if (password->empty()) return unusable(name.name, "the password is empty");
    settings.credentials.password = std::move(*password);
    if (!name.namespace_name.empty())
      if (auto more = read_credentials(name.namespace_name, settings); !more)
        return std::unexpected(std::move(more.error()));
    return settings;
  }

  void stop() override {}
};

}  // namespace

std::unique_ptr<SnapshotCatalog> make_snapshot_catalog() {
  return std::make_unique<DirectoryCatalog>();
}

}  // namespace lvmd::reconciler::directory
