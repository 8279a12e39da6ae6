#include "lvmd/model/kubelet_target.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/object_name.hpp"

namespace lvmd::model {
namespace {

// The words in capitals stand for names.
constexpr std::string_view kDriverWord = "DRIVER";
constexpr std::string_view kVolumeWord = "VOLUME";
constexpr std::string_view kPodWord = "POD";

struct TargetForm {
  TargetKind kind;
  std::string_view path;
};

constexpr std::array kTargetForms{
    TargetForm{TargetKind::kStaging, "/plugins/kubernetes.io/csi/DRIVER/VOLUME/globalmount"},
    TargetForm{TargetKind::kBlockStaging,
               "/plugins/kubernetes.io/csi/volumeDevices/staging/VOLUME"},
    TargetForm{TargetKind::kPodMount, "/pods/POD/volumes/kubernetes.io~csi/VOLUME/mount"},
    TargetForm{TargetKind::kPodDevice,
               "/plugins/kubernetes.io/csi/volumeDevices/publish/VOLUME/POD"},
};
constexpr TargetForm kPublishedDevice{TargetKind::kPodDevice,
                                      "/plugins/kubernetes.io/csi/volumeDevices/VOLUME/dev/POD"};

constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kMaxPodLength = 63;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

// The UID of a static pod is a hash without hyphens, not a UUID.
bool is_pod_uid(std::string_view text) {
  return !text.empty() && text.size() <= kMaxPodLength && std::ranges::all_of(text, [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

const TargetForm* form_of(TargetKind kind) {
  const auto* const form = std::ranges::find(kTargetForms, kind, &TargetForm::kind);
  return form == kTargetForms.end() ? nullptr : form;
}

std::vector<std::string> fill_in(const TargetForm& form, const KubeletTarget& target,
                                 const KubeletRoot& root) {
  std::vector<std::string> parts = path_parts(form.path);
  for (std::string& part : parts) {
    if (part == kDriverWord)
      part = root.driver;
    else if (part == kVolumeWord)
      part = target.volume;
    else if (part == kPodWord)
      part = target.pod;
  }
  return parts;
}

// The parts of a plain path below the root. None if the path is not plain or not below it.
std::vector<std::string> parts_below(const KubeletRoot& root, std::string_view path) {
  if (!is_plain_path(root.path) || !is_plain_path(path) || !is_below(path, root.path)) return {};
  return path_parts(path.substr(root.path.size()));
}

std::optional<KubeletTarget> match(const TargetForm& form, const std::vector<std::string>& parts,
                                   const KubeletRoot& root) {
  const std::vector<std::string> words = path_parts(form.path);
  if (words.size() != parts.size()) return std::nullopt;
  KubeletTarget target{.kind = form.kind, .volume = {}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kVolumeWord) target.volume = parts[i];
    if (words[i] == kPodWord) target.pod = parts[i];
  }
  if (fill_in(form, target, root) != parts || !check_kubelet_target(target)) return std::nullopt;
  return target;
}

std::optional<KubeletTarget> match_any(const std::vector<std::string>& parts,
                                       const KubeletRoot& root) {
  for (const TargetForm& form : kTargetForms)
    if (auto target = match(form, parts, root)) return target;
  return std::nullopt;
}

std::vector<std::string> accepted_forms(const KubeletRoot& root) {
  std::vector<std::string> forms;
  for (const TargetForm& form : kTargetForms) {
    const char* const volume = form.kind == TargetKind::kStaging ? "HASH" : "PV";
    forms.push_back(path_of(place_of({.kind = form.kind, .volume = volume, .pod = "POD"}, root)));
  }
  return forms;
}

Failure wrong_part(std::string_view part, std::string_view value, std::string_view rule) {
  return fail(Code::kInvalidArgument, "{} \"{}\" of a target of kubelet must be {}", part, value,
              rule)
      .because(reason::kInvalidTarget)
      .about(part, value);
}

}  // namespace

Result<KubeletTarget> parse_kubelet_target(std::string_view field, std::string_view path,
                                           const KubeletRoot& root) {
  if (auto valid = check_target_length(field, path); !valid)
    return std::unexpected(std::move(valid.error()));
  if (auto target = match_any(parts_below(root, path), root)) return *std::move(target);
  return fail(Code::kInvalidArgument,
              "{} \"{}\" must be a path of kubelet: {}; HASH is {} of 0-9 and a-f, PV the name of "
              "a PersistentVolume, POD the UID of a pod",
              field, path, fmt::join(accepted_forms(root), ", "), kHashDigits)
      .because(reason::kInvalidTarget)
      .about(field, path);
}

Status check_kubelet_target(const KubeletTarget& target) {
  if (form_of(target.kind) == nullptr)
    return wrong_part("kind", fmt::format("{}", std::to_underlying(target.kind)),
                      "staging, block staging, mount of a pod or device of a pod");
  if (target.kind == TargetKind::kStaging) {
    if (!is_hash(target.volume))
      return wrong_part("volume", target.volume, fmt::format("{} of 0-9 and a-f", kHashDigits));
  } else if (!is_object_name(target.volume)) {
    return wrong_part("volume", target.volume, "the name of a PersistentVolume");
  }
  if (!is_made_by_driver(target.kind)) {
    if (!target.pod.empty()) return wrong_part("pod", target.pod, "empty for a staging target");
  } else if (!is_pod_uid(target.pod)) {
    return wrong_part("pod", target.pod, "the UID of a pod");
  }
  return {};
}

MountPlace place_of(const KubeletTarget& target, const KubeletRoot& root) {
  const TargetForm* const form = form_of(target.kind);
  return {.root = root.path,
          .parts = form == nullptr ? std::vector<std::string>{} : fill_in(*form, target, root)};
}

std::optional<KubeletTarget> published_device(std::string_view path, const KubeletRoot& root) {
  const std::vector<std::string> parts = parts_below(root, path);
  // The path for the volume "publish" is the target of the volume "dev".
  if (match_any(parts, root)) return std::nullopt;
  return match(kPublishedDevice, parts, root);
}

}  // namespace lvmd::model
