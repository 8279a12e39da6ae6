#include <catch2/catch.hpp>
#include <string>

#include "reconciler/directory/manifest.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::directory;

namespace {

std::string document(const std::string& metadata, const std::string& spec) {
  return "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata:\n  name: data\n" + metadata +
         "spec:\n" + spec;
}

Manifest only(const std::string& text) {
  const auto file = parse_manifest_file("a.yaml", text);
  REQUIRE(file.has_value());
  REQUIRE(file->manifests.size() == 1);
  return file->manifests.front();
}

FileProblem problem(const std::string& text) {
  const auto file = parse_manifest_file("a.yaml", text);
  REQUIRE_FALSE(file.has_value());
  return file.error();
}

}  // namespace

TEST_CASE("a manifest's fields are read [R-OBJ-10..16]", "[reconciler][directory]") {
  const Manifest manifest =
      only(document("  labels: {a: b}\n  annotations: {c: d}\n",
                    "  name: pv\n  nodeName: n1\n  size: 1Gi\n  deviceClass: ssd\n"
                    "  lvcreateOptionClass: fast\n  source: origin\n  accessType: rw\n"));
  CHECK(to_string(manifest.object.key) == "topolvm.io/data");
  CHECK(manifest.object.spec == VolumeSpec{"pv", "n1", "1Gi", "ssd", "fast", "origin", "rw"});
  CHECK(manifest.object.labels == StringMap{{"a", "b"}});
  CHECK(manifest.object.annotations == StringMap{{"c", "d"}});
  CHECK_FALSE(manifest.absent);
  CHECK_FALSE(manifest.object.defect);
}

TEST_CASE("a bare number is a size, too [R-QTY-1]", "[reconciler][directory]") {
  CHECK(only(document("", "  size: 4096\n")).object.spec.size == "4096");
  CHECK(only(document("", "  size: 1e9\n")).object.spec.size == "1e9");
  CHECK(only(document("", "  size: \"1Gi\"\n")).object.spec.size == "1Gi");
}

TEST_CASE("files hold any number of documents [R-DOC-1, R-DIR-2]", "[reconciler][directory]") {
  const auto file = parse_manifest_file(
      "a.yaml", "---\n---\napiVersion: v1\nkind: ConfigMap\n---\n" + document("", "  size: 1Gi\n") +
                    "---\napiVersion: topolvm.cybozu.com/v1\nkind: LogicalVolume\n"
                    "metadata: {name: data}\nspec: {size: 1Gi}\n---\n");
  REQUIRE(file.has_value());
  REQUIRE(file->manifests.size() == 2);
  CHECK(file->manifests[1].object.key.group == Group::kLegacy);
  CHECK(file->skipped == 1);
}

TEST_CASE("an empty file has no documents", "[reconciler][directory]") {
  CHECK(parse_manifest_file("a.yaml", "")->manifests.empty());
  CHECK(parse_manifest_file("a.yaml", "# nothing\n")->manifests.empty());
}

TEST_CASE("a file that cannot be parsed is a problem with its line [R-DOC-2]",
          "[reconciler][directory]") {
  const FileProblem broken = problem(document("", "  size: 1Gi\n") + "---\na: [1, 2\nb: }\n");
  CHECK(broken.name == "a.yaml");
  CHECK(broken.line >= 9);
  CHECK(broken.message.contains("not YAML"));
  CHECK(problem("- a\n- b\n").message.contains("not a mapping"));
  CHECK(problem("text\n").message.contains("not a mapping"));
  CHECK(problem("kind: LogicalVolume\n").message.contains("apiVersion"));
  CHECK(problem("apiVersion: topolvm.io/v1\n").message.contains("kind"));
}

TEST_CASE("one wrong document makes its file unusable [R-DOC-2]", "[reconciler][directory]") {
  CHECK(problem(document("", "  size: 1Gi\n") + "---\nkind: Pod\n").line == 8);
}

TEST_CASE("names are those of Kubernetes [R-DOC-3]", "[reconciler][directory]") {
  const std::string good = GENERATE(as<std::string>{}, "a", "a-b.c-1", "1", std::string(253, 'a'));
  CHECK(is_valid_name({.name = good}));
  const std::string bad =
      GENERATE(as<std::string>{}, "", ".", "..", "a..b", "-a", "a-", "A", "a_b", "a/b", "../a",
               "a.", ".a", "a-.b", "\xc3\xa4", std::string(254, 'a'));
  INFO(bad);
  CHECK_FALSE(is_valid_name({.name = bad}));
  CHECK_FALSE(is_valid_name({.name = "topolvm.cybozu.com.a"}));
  CHECK(is_valid_name({.group = Group::kLegacy, .name = "topolvm.cybozu.com.a"}));
}

TEST_CASE("a LogicalVolume without a valid name makes its file unusable [R-DOC-2]",
          "[reconciler][directory]") {
  const std::string metadata =
      GENERATE(as<std::string>{}, "metadata: {name: ../x}", "metadata: {name: 12}", "metadata: {}",
               "metadata: text", "metadata: {name: [a]}", "spec: {}");
  INFO(metadata);
  const FileProblem found =
      problem("apiVersion: topolvm.io/v1\nkind: LogicalVolume\n" + metadata + "\n");
  CHECK(found.message.contains("metadata.name"));
}

TEST_CASE("a field of another type is a defect that names it [R-DOC-4]",
          "[reconciler][directory]") {
  const auto [spec, word] = GENERATE(table<std::string, std::string>({
      {"  size: [1]\n", "spec.size"},
      {"  size: 1Gi\n  deviceClass: 12\n", "spec.deviceClass must be a string, not \"12\""},
      {"  size: 1Gi\n  deviceClass: true\n", "spec.deviceClass"},
      {"  size: 1Gi\n  source: {a: b}\n", "spec.source must be a string, not a mapping"},
      {"  - a\n", "spec must be a mapping, not a list"},
  }));
  INFO(spec);
  const Manifest manifest = only(document("", spec));
  REQUIRE(manifest.object.defect);
  CHECK(manifest.object.defect->code == Code::kInvalidArgument);
  CHECK(manifest.object.defect->message.contains(word));
}

TEST_CASE("another version is a defect [R-DOC-4]", "[reconciler][directory]") {
  const Manifest manifest = only(
      "apiVersion: topolvm.io/v2\nkind: LogicalVolume\nmetadata: {name: a}\nspec: {size: 1Gi}\n");
  REQUIRE(manifest.object.defect);
  CHECK(manifest.object.defect->message.contains("topolvm.io/v2"));
}

TEST_CASE("quoted numbers are strings; unknown fields and status are ignored [R-DOC-4]",
          "[reconciler][directory]") {
  const Manifest manifest = only(document("", "  size: 1Gi\n  deviceClass: \"12\"\n  new: {}\n") +
                                 "status: {volumeID: x, code: 3}\n");
  CHECK_FALSE(manifest.object.defect);
  CHECK(manifest.object.spec.device_class == "12");
  CHECK(manifest.object.status == VolumeStatus{});
}

TEST_CASE("the annotation requests absent, and no other state [R-DOC-6]",
          "[reconciler][directory]") {
  CHECK(only(document("  annotations: {lvmd.io/state: absent}\n", "  size: 1Gi\n")).absent);
  const std::string other = GENERATE(as<std::string>{}, "Absent", "present", "\"\"", "[absent]");
  const Manifest manifest =
      only(document("  annotations: {lvmd.io/state: " + other + "}\n", "  size: 1Gi\n"));
  CHECK_FALSE(manifest.absent);
  REQUIRE(manifest.object.defect);
  CHECK(manifest.object.defect->message.contains("lvmd.io/state"));
}

TEST_CASE("text that belongs to no document makes the file unreadable [R-DOC-2]",
          "[reconciler][directory]") {
  const auto [text, line] = GENERATE(table<std::string, int>(
      {{", ", 1}, {"]", 1}, {"a: 1\n---\n}\n", 3}, {"kind: X\napiVersion: v1\n...\n,", 4}}));
  CAPTURE(text);
  const auto parsed = directory::parse_manifest_file("x.yaml", text);
  REQUIRE_FALSE(parsed.has_value());
  CHECK(parsed.error().line == line);
  CHECK(parsed.error().message.starts_with("not YAML"));
}

TEST_CASE("text that is not UTF-8 makes the file unreadable [R-DOC-2]", "[reconciler][directory]") {
  const std::string wrong = GENERATE(as<std::string>{}, "\x80", "\xc0\xaf", "\xe2\x82",
                                     "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff");
  CHECK_FALSE(directory::parse_manifest_file("x.yaml", "kind: \"" + wrong + "\"").has_value());
  const std::string right =
      GENERATE(as<std::string>{}, "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80");
  CHECK(directory::parse_manifest_file("x.yaml", "{apiVersion: v1, kind: \"" + right + "\"}")
            .has_value());
}
