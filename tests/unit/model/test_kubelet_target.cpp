#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/model/kubelet_target.hpp"

using namespace lvmd;
using namespace lvmd::model;

namespace {

const KubeletRoot kKubelet{.path = "/var/lib/kubelet", .driver = "topolvm.io"};
const std::string kHash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kPodUid = "b5c4f5f2-6c1d-4f0e-9f61-0a4f8b8d6f7e";
const std::string kCsi = "/var/lib/kubelet/plugins/kubernetes.io/csi/";
const std::string kDevices = kCsi + "volumeDevices/";
const std::string kPods = "/var/lib/kubelet/pods/";
const std::string kPodCsi = kPods + kPodUid + "/volumes/kubernetes.io~csi/";

std::string staging(const std::string& hash, const std::string& driver = "topolvm.io") {
  return kCsi + driver + "/" + hash + "/globalmount";
}

std::string block_staging(const std::string& volume) { return kDevices + "staging/" + volume; }

std::string pod_device(const std::string& volume, const std::string& pod) {
  return kDevices + "publish/" + volume + "/" + pod;
}

std::string pod_mount(const std::string& pod, const std::string& volume) {
  return kPods + pod + "/volumes/kubernetes.io~csi/" + volume + "/mount";
}

std::string bound_device(const std::string& volume, const std::string& pod) {
  return kDevices + volume + "/dev/" + pod;
}

Result<KubeletTarget> parse_target(const std::string& path) {
  return parse_kubelet_target("target_path", path, kKubelet);
}

// True if parsing gives exactly this target, and its place is the path again.
bool is_parsed(const std::string& path, const KubeletTarget& target) {
  const auto parsed = parse_target(path);
  return parsed && *parsed == target && check_kubelet_target(target).has_value() &&
         path_of(place_of(target, kKubelet)) == path;
}

void check_target_refused(const std::string& path, const KubeletRoot& root = kKubelet) {
  CAPTURE(path, root.path, root.driver);
  const auto refused = parse_kubelet_target("target_path", path, root);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().reason == "INVALID_TARGET");
  CHECK(refused.error().message.find("target_path \"" + path + "\" must be a path of kubelet: ") ==
        0);
}

}  // namespace

TEST_CASE("the four forms of kubelet's targets are parsed and formed again", "[model]") {
  CHECK(is_parsed(staging(kHash), {TargetKind::kStaging, kHash, ""}));
  CHECK(is_parsed(block_staging("pvc-1"), {TargetKind::kBlockStaging, "pvc-1", ""}));
  CHECK(is_parsed(pod_device("pvc-1", kPodUid), {TargetKind::kPodDevice, "pvc-1", kPodUid}));
  CHECK(is_parsed(pod_mount(kPodUid, "pvc-1"), {TargetKind::kPodMount, "pvc-1", kPodUid}));
  CHECK(place_of({TargetKind::kPodMount, "pvc-1", "uid"}, kKubelet) ==
        MountPlace{"/var/lib/kubelet",
                   {"pods", "uid", "volumes", "kubernetes.io~csi", "pvc-1", "mount"}});
}

TEST_CASE("a refused target of kubelet names the field, the path and the forms", "[model]") {
  const auto refused = parse_target("/srv/data");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "target_path \"/srv/data\" must be a path of kubelet: "
        "/var/lib/kubelet/plugins/kubernetes.io/csi/topolvm.io/HASH/globalmount, "
        "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/staging/PV, "
        "/var/lib/kubelet/pods/POD/volumes/kubernetes.io~csi/PV/mount, "
        "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/PV/POD; "
        "HASH is 64 of 0-9 and a-f, PV the name of a PersistentVolume, POD the UID of a pod");
  CHECK(refused.error().metadata == std::vector<std::pair<std::string, std::string>>{
                                        {"field", "target_path"}, {"value", "/srv/data"}});
}

TEST_CASE("a staging target has 64 lower-case hexadecimal digits and our driver's name",
          "[model]") {
  for (const std::string& hash :
       {std::string{}, kHash.substr(1), kHash + "0", "A" + kHash.substr(1), "g" + kHash.substr(1),
        "." + kHash.substr(1), std::string(64, '.'), std::string("pvc-1")})
    check_target_refused(staging(hash));
  for (const char* const driver : {"topolvm.cybozu.com", "Topolvm.io", "topolvm.io.", "topolvm", "",
                                   ".", "..", "volumeDevices"})
    check_target_refused(staging(kHash, driver));
  check_target_refused(kCsi + "topolvm.io/" + kHash);
  check_target_refused(kCsi + "topolvm.io/" + kHash + "/");
  check_target_refused(kCsi + "topolvm.io/" + kHash + "/globalmount/");
  check_target_refused(kCsi + "topolvm.io/" + kHash + "/globalmount/sub");
  check_target_refused(kCsi + "topolvm.io/" + kHash + "/vol_data.json");
  check_target_refused(kCsi + "pv/pvc-1/globalmount");
}

TEST_CASE("a target of kubelet that is a part of a form, or goes on behind it, is refused",
          "[model]") {
  for (const char* const rest :
       {"staging", "staging/", "staging/pvc-1/", "staging/pvc-1/sub", "publish", "publish/pvc-1",
        "publish/pvc-1/", "publish/pvc-1/uid/", "publish/pvc-1/uid/sub", "pvc-1", "pvc-1/dev/uid",
        "pvc-1/data", "other/pvc-1/uid", "Staging/pvc-1", "", "dev"})
    check_target_refused(kDevices + rest);
  for (const char* const rest : {"pvc-1", "pvc-1/", "pvc-1/mount/", "pvc-1/mount/sub", "mount",
                                 "pvc-1/Mount", "pvc-1/globalmount", "pvc-1/vol_data.json", ""})
    check_target_refused(kPodCsi + rest);
  check_target_refused(kPods + kPodUid + "/volumes/kubernetes.io~empty-dir/cache/mount");
  check_target_refused(kPods + kPodUid + "/volumes/kubernetes.io/pvc-1/mount");
  check_target_refused(kPods + kPodUid + "/volumes/mount");
  check_target_refused(kPods + kPodUid + "/volumeDevices/kubernetes.io~csi/pvc-1");
  check_target_refused(kPods + kPodUid + "/volume-subpaths/pvc-1/container/0");
  check_target_refused(kPods + kPodUid);
}

TEST_CASE("a target of kubelet is below the root, as text", "[model]") {
  const std::string below = "/plugins/kubernetes.io/csi/volumeDevices/staging/pvc-1";
  CHECK(parse_target("/var/lib/kubelet" + below));
  for (const char* const other :
       {"", "/", "/var/lib", "/var/lib/kubelet-x", "/var/lib/kubelet/x", "var/lib/kubelet",
        "//var/lib/kubelet", "/var/lib//kubelet", "/var/lib/kubelet/", "/var/lib/./kubelet",
        "/var/lib/x/../kubelet", "/VAR/lib/kubelet", " /var/lib/kubelet"})
    check_target_refused(other + below);
  for (const char* const path : {"", "/", "/var/lib/kubelet", "/var/lib/kubelet/", "/etc/passwd",
                                 "pods", "/var/lib/kubelet/plugins"})
    check_target_refused(path);
}

TEST_CASE("a target of kubelet never leads elsewhere", "[model]") {
  for (const char* const trap : {"..", ".", "", "...", "a..b", ".a", "a.", "..%2f", "a b", "a\nb",
                                 "a\\b", "a~b", "*", "\xc3\xa4"}) {
    check_target_refused(block_staging(trap));
    check_target_refused(pod_device(trap, "uid"));
    check_target_refused(pod_device("pvc-1", trap));
    check_target_refused(pod_mount(kPodUid, trap));
    check_target_refused(pod_mount(trap, "pvc-1"));
  }
  check_target_refused(kDevices + "staging/../../../../../../../etc");
  check_target_refused(kPods + "../pods/" + kPodUid + "/volumes/kubernetes.io~csi/pvc-1/mount");
  check_target_refused(kPodCsi + "../kubernetes.io~csi/pvc-1/mount");
  check_target_refused(kPodCsi + "./pvc-1/mount");
  check_target_refused(kPodCsi + "/pvc-1/mount");
  check_target_refused(kPodCsi + "pvc-1//mount");
  check_target_refused(kPodCsi + "pvc-1/mount/.");
  check_target_refused(kPodCsi + "pvc-1/mount/..");
  check_target_refused(kPodCsi + std::string{"pvc-1\0", 6} + "/mount");
  check_target_refused(pod_mount(kPodUid, "pvc-1") + std::string(1, '\0'));
}

TEST_CASE("names of volumes and pods have the limits of Kubernetes", "[model]") {
  for (const std::string& name :
       {std::string("a"), std::string("0"), std::string("a.b-c.1"), std::string("a--b"),
        std::string("dev"), std::string("staging"), std::string("publish"), std::string(253, 'x')})
    CHECK(is_parsed(block_staging(name), {TargetKind::kBlockStaging, name, ""}));
  for (const std::string& name :
       {std::string(254, 'x'), std::string("Pvc-1"), std::string("pvc_1"), std::string("-a"),
        std::string("a-"), std::string("a.-b"), std::string("a-.b")})
    check_target_refused(block_staging(name));
  for (const std::string& pod :
       {std::string("a"), kPodUid, std::string(32, '0'), std::string(63, 'Z')})
    CHECK(is_parsed(pod_device("pvc-1", pod), {TargetKind::kPodDevice, "pvc-1", pod}));
  for (const std::string& pod : {std::string(64, 'a'), std::string("a_b"), std::string("a.b")})
    check_target_refused(pod_device("pvc-1", pod));
}

TEST_CASE("a target of kubelet has at most 4,000 bytes", "[model]") {
  const auto longer = parse_target(kDevices + "staging/" + std::string(4000, 'x'));
  REQUIRE_FALSE(longer);
  CHECK(longer.error().code == Code::kInvalidArgument);
  CHECK(longer.error().reason == "INVALID_TARGET");
  CHECK(longer.error().message == "target_path has 4065 bytes, at most 4000 are allowed");
}

TEST_CASE("below a root that is not a plain path there is no target of kubelet", "[model]") {
  const std::string below = "/plugins/kubernetes.io/csi/volumeDevices/staging/pvc-1";
  for (const char* const root :
       {"", "/", "//", ".", "..", "kubelet", "/var/lib/kubelet/", "/var//lib", "/var/../lib"}) {
    check_target_refused(root + below, {.path = root, .driver = "topolvm.io"});
    check_target_refused(below, {.path = root, .driver = "topolvm.io"});
  }
  const KubeletRoot other{.path = "/mnt/k0s/kubelet root", .driver = "topolvm.io"};
  const auto parsed = parse_kubelet_target("target_path", other.path + below, other);
  REQUIRE(parsed);
  CHECK(path_of(place_of(*parsed, other)) == other.path + below);
  // A driver's name that the configuration does not accept cannot add parts to the path.
  for (const char* const driver : {"", ".", "..", "a/b", "topolvm.io/"})
    check_target_refused(staging(kHash, driver), {.path = "/var/lib/kubelet", .driver = driver});
}

TEST_CASE("the parts of a target of kubelet are checked alone, too", "[model]") {
  CHECK(check_kubelet_target({TargetKind::kStaging, kHash, ""}));
  CHECK(check_kubelet_target({TargetKind::kBlockStaging, "pvc-1", ""}));
  CHECK(check_kubelet_target({TargetKind::kPodMount, "pvc-1", kPodUid}));
  CHECK(check_kubelet_target({TargetKind::kPodDevice, "pvc-1", kPodUid}));
  const auto [target, part] = GENERATE(table<KubeletTarget, std::string>({
      {{TargetKind::kStaging, "", ""}, "volume"},
      {{TargetKind::kStaging, "pvc-1", ""}, "volume"},
      {{TargetKind::kStaging, kHash, kPodUid}, "pod"},
      {{TargetKind::kBlockStaging, "", ""}, "volume"},
      {{TargetKind::kBlockStaging, "..", ""}, "volume"},
      {{TargetKind::kBlockStaging, "pvc-1", kPodUid}, "pod"},
      {{TargetKind::kPodMount, "a/b", kPodUid}, "volume"},
      {{TargetKind::kPodMount, "pvc-1", ""}, "pod"},
      {{TargetKind::kPodMount, "pvc-1", "../etc"}, "pod"},
      {{TargetKind::kPodDevice, "Pvc", kPodUid}, "volume"},
      {{TargetKind::kPodDevice, "pvc-1", "a.b"}, "pod"},
      // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): from another process
      {{static_cast<TargetKind>(4), "pvc-1", kPodUid}, "kind"},
  }));
  CAPTURE(target.volume, target.pod, part);
  const auto refused = check_kubelet_target(target);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().reason == "INVALID_TARGET");
  CHECK(refused.error().message.find(part + " \"") == 0);
}

TEST_CASE("the driver makes the targets of pods, kubelet those of staging", "[model]") {
  CHECK(is_made_by_driver(TargetKind::kPodMount));
  CHECK(is_made_by_driver(TargetKind::kPodDevice));
  CHECK_FALSE(is_made_by_driver(TargetKind::kStaging));
  CHECK_FALSE(is_made_by_driver(TargetKind::kBlockStaging));
}

TEST_CASE("kubelet's own mount of a device is found by its path, but is no target", "[model]") {
  const std::string path = bound_device("pvc-1", kPodUid);
  CHECK(published_device(path, kKubelet) ==
        KubeletTarget{TargetKind::kPodDevice, "pvc-1", kPodUid});
  check_target_refused(path);
  for (const std::string& other :
       {std::string{}, std::string("/"), path + "/", path + "/sub", kDevices + "pvc-1/dev",
        kDevices + "pvc-1/data/vol_data.json", bound_device("..", kPodUid),
        bound_device("Pvc-1", kPodUid), bound_device("pvc-1", ".."), bound_device("pvc-1", ""),
        std::string("/srv/kubernetes.io/csi/volumeDevices/pvc-1/dev/uid"),
        pod_device("pvc-1", kPodUid), block_staging("pvc-1"), staging(kHash),
        pod_mount(kPodUid, "pvc-1")}) {
    CAPTURE(other);
    CHECK_FALSE(published_device(other, kKubelet));
  }
  CHECK_FALSE(published_device(path, {.path = "/", .driver = "topolvm.io"}));
}

TEST_CASE("a path that could be kubelet's own mount or a target is the target", "[model]") {
  const std::string path = bound_device("publish", kPodUid);
  CHECK(is_parsed(path, {TargetKind::kPodDevice, "dev", kPodUid}));
  CHECK_FALSE(published_device(path, kKubelet));
}
