#include "reconciler/kube/snapshot_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kubeconfig.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

std::string_view without_slashes(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  while (text.starts_with('/')) text.remove_prefix(1);
  return text;
}

// Joins the parts that are not empty: "a/b/c".
std::string join(std::initializer_list<std::string_view> parts) {
  std::string path;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

// User and password in an address would appear in the status and in logs.
bool has_user(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme != std::string_view::npos) address.remove_prefix(scheme + 3);
  return address.substr(0, address.find('/')).contains('@');
}

class LocationReader {
 public:
  LocationReader(const LocationName& name, const json& spec)
      : name_(name), spec_(spec), storage_(member(spec, "storage")) {}

  [[nodiscard]] Result<LocationObject> read() const {
    if (const std::string engine = string_member(spec_, "engine");
        !engine.empty() && engine != "restic")
      return wrong("spec.engine \"{}\" is not restic", engine);
    const auto mode = parse_copy_mode(string_member(spec_, "mode"));
    if (!mode)
      return wrong("spec.mode \"{}\" is not auto, files or blocks", string_member(spec_, "mode"));
    LocationObject object;
    object.settings.mode = *mode;
    object.settings.verify = bool_member(spec_, "verify");
    const std::int64_t deadline = integer_member(spec_, "deadlineSeconds");
    if (deadline < 0 || deadline > kLongestDeadline)
      return wrong("spec.deadlineSeconds {} is not between 0 and {}", deadline, kLongestDeadline);
    object.settings.deadline_seconds = static_cast<std::uint32_t>(deadline);
    if (const Status located = locate(object); !located) return std::unexpected(located.error());
    if (has_user(object.settings.location))
      return wrong("user and password must be in the secret, not in the address");
    if (object.secret_name.empty())
      return wrong("spec.storage.{}.secretName is missing: the secret with RESTIC_PASSWORD",
                   string_member(storage_, "provider"));
    return object;
  }

 private:
  static constexpr std::int64_t kLongestDeadline = 604'800;

  template <typename... Arguments>
  [[nodiscard]] Failure wrong(fmt::format_string<Arguments...> format,
                              Arguments&&... arguments) const {
    return fail(Code::kFailedPrecondition, "SnapshotBackupStorage {}/{}: {}", name_.namespace_name,
                name_.name, fmt::format(format, std::forward<Arguments>(arguments)...))
        .because(own_reason::kInvalidStorage);
  }

  [[nodiscard]] Status locate(LocationObject& object) const {
    const std::string provider = string_member(storage_, "provider");
    const json& backend = member(storage_, provider.c_str());
    object.secret_name = string_member(backend, "secretName");
    if (provider == "s3") return locate_s3(backend, object.settings);
    if (provider == "gcs") return locate_gcs(backend, object.settings);
    if (provider == "rest") return locate_rest(backend, object.settings);
    if (provider == "local") return locate_local(backend, object.settings);
    return wrong("spec.storage.provider \"{}\" is not s3, gcs, rest or local", provider);
  }

  [[nodiscard]] Status locate_bucket(std::string_view endpoint, const json& backend,
                                     LocationSettings& settings) const {
    const std::string bucket = string_member(backend, "bucket");
    const std::string prefix = string_member(backend, "prefix");
    if (bucket.empty()) return wrong("the bucket is missing");
    if (const std::int64_t connections = integer_member(backend, "maxConnections"); connections > 0)
      settings.options["s3.connections"] = fmt::format("{}", connections);
    settings.location = "s3:" + join({endpoint, bucket, without_slashes(prefix)});
    return {};
  }

  [[nodiscard]] Status locate_s3(const json& backend, LocationSettings& settings) const {
    // lvmd has no option for it, and an attacker could read the keys.
    if (bool_member(backend, "insecureTLS"))
      return wrong(
          "spec.storage.s3.insecureTLS is not supported: put the server's CA into the secret's "
          "ca.crt");
    std::string endpoint = string_member(backend, "endpoint");
    if (endpoint.empty()) endpoint = "https://s3.amazonaws.com";
    if (!endpoint.contains("://")) endpoint = "https://" + endpoint;
    if (const std::string region = string_member(backend, "region"); !region.empty())
      settings.options["s3.region"] = region;
    std::string_view address = endpoint;
    while (address.ends_with('/')) address.remove_suffix(1);
    return locate_bucket(address, backend, settings);
  }

  // Uses the S3 interface: Google's own keys are files, and a mover has no files.
  [[nodiscard]] Status locate_gcs(const json& backend, LocationSettings& settings) const {
    return locate_bucket("https://storage.googleapis.com", backend, settings);
  }

  [[nodiscard]] Status locate_rest(const json& backend, LocationSettings& settings) const {
    const std::string url = string_member(backend, "url");
    if (!url.starts_with("https://") && !url.starts_with("http://"))
      return wrong("spec.storage.rest.url \"{}\" begins with neither https:// nor http://", url);
    settings.location = "rest:" + url;
    return {};
  }

  [[nodiscard]] Status locate_local(const json& backend, LocationSettings& settings) const {
    settings.location = string_member(backend, "path");
    if (!settings.location.starts_with('/'))
      return wrong("spec.storage.local.path \"{}\" is not an absolute path", settings.location);
    return {};
  }

  const LocationName& name_;
  const json& spec_;
  const json& storage_;
};

// Empty when the secret has no such key.
Result<std::string> value_of(const LocationName& name, const json& data, const char* key) {
  auto value = decode_base64(string_member(data, key));
  if (!value)
    return fail(Code::kFailedPrecondition,
                "the secret of SnapshotBackupStorage {}/{}: {} is not base64", name.namespace_name,
                name.name, key)
        .because(own_reason::kNoCredentials);
  return std::move(*value);
}

}  // namespace

std::optional<std::string> content_name(std::string_view spec_name) {
  constexpr std::string_view kPrefix = "snapshot";
  if (!spec_name.starts_with(kPrefix) || spec_name == kPrefix) return std::nullopt;
  return fmt::format("snapcontent{}", spec_name.substr(kPrefix.size()));
}

Result<std::string> class_name_of(std::string_view content) {
  const auto object = parse_response(content);
  if (!object) return std::unexpected(object.error());
  return string_member(member(*object, "spec"), "volumeSnapshotClassName");
}

Result<SnapshotClass> parse_snapshot_class(Group group, std::string_view text) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  const json& parameters = member(*object, "parameters");
  const auto parameter = [&](std::string_view name) {
    return string_member(parameters, fmt::format("{}/{}", to_string(group), name).c_str());
  };
  return SnapshotClass{.mode = parameter("snapshotMode"),
                       .storage = {.namespace_name = parameter("snapshotStorageNamespace"),
                                   .name = parameter("snapshotStorageName")}};
}

Result<PersistentVolume> parse_persistent_volume(std::string_view text) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  const json& claim = member(member(*object, "spec"), "claimRef");
  PersistentVolume volume{.claim_namespace = string_member(claim, "namespace"),
                          .claim_name = string_member(claim, "name")};
  if (volume.claim_namespace.empty() || volume.claim_name.empty())
    return fail(Code::kUnavailable, "PersistentVolume {} has no claim yet",
                string_member(member(*object, "metadata"), "name"))
        .because(own_reason::kNoClaim);
  return volume;
}

Result<LocationObject> parse_location(const LocationName& name, std::string_view text) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  return LocationReader{name, member(*object, "spec")}.read();
}

Status add_secret(const LocationName& name, std::string_view text, LocationSettings& settings) {
  const auto object = parse_response(text);
  if (!object) return std::unexpected(object.error());
  const json& data = member(*object, "data");
  std::vector<std::pair<const char*, std::string*>> values{
      {"RESTIC_PASSWORD", &settings.credentials.password}};
  for (const auto& [key, field] : kCredentialTexts)
    values.emplace_back(key, &(settings.credentials.*field));
  values.emplace_back("ca.crt", &settings.ca_certificates);
  for (const auto& [key, target] : values) {
    auto value = value_of(name, data, key);
    if (!value) return std::unexpected(std::move(value.error()));
    *target = std::move(*value);
  }
  if (settings.credentials.password.empty())
    return fail(Code::kFailedPrecondition,
                "the secret of SnapshotBackupStorage {}/{} has no RESTIC_PASSWORD",
                name.namespace_name, name.name)
        .because(own_reason::kNoCredentials);
  return {};
}

}  // namespace lvmd::reconciler::kube
