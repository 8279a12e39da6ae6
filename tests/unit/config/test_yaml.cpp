#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;
using Words = std::vector<std::string>;

TEST_CASE("JSON is YAML", "[config]") {
  CHECK(class_of(R"({"device-classes": [{"name": "ssd", "volume-group": "vg", "spare-gb": 1}]})")
            .spare == lvmd::model::Bytes{1'073'741'824});
}

TEST_CASE("line ends, byte order mark and document markers do not matter", "[config]") {
  CHECK(class_of("device-classes:\r\n- name: ssd\r\n  volume-group: vg\r\n").volume_group == "vg");
  CHECK(class_of("\xef\xbb\xbf" + std::string{kOneClass}).name == "ssd");
  CHECK(class_of("---\n" + std::string{kOneClass} + "...\n").name == "ssd");
}

TEST_CASE("anchors and merged mappings are resolved; a mapping's own keys have priority",
          "[config]") {
  const Config config = config_of(
      "device-classes:\n"
      "- &base\n"
      "  name: a\n"
      "  volume-group: &vg vg1\n"
      "  spare-gb: 1\n"
      "  stripe: 2\n"
      "- <<: *base\n"
      "  name: b\n"
      "  volume-group: vg2\n"
      "  spare-gb: 3\n"
      "- <<: [{spare-gb: 7}, *base]\n"
      "  name: c\n"
      "  volume-group: vg3\n"
      "  lvcreate-options: [--addtag, *vg]\n");
  const auto& classes = config.catalog.device_classes;
  REQUIRE(classes.size() == 3);
  CHECK(classes[1].name == "b");
  CHECK(classes[1].spare.value >> 30U == 3);
  CHECK(classes[1].stripes == 2);
  CHECK(classes[2].spare.value >> 30U == 7);
  CHECK(classes[2].stripes == 2);
  CHECK(classes[2].lvcreate_options == Words{"--addtag", "vg1"});
}

TEST_CASE("a merge of another type, or of itself, is rejected", "[config]") {
  CHECK(error_of(std::string{kOneClass} + "  <<: x\n") ==
        "lvmd.yaml:4: device-classes[0].<<: expected a mapping or a list of mappings, found the "
        "text \"x\"");
  CHECK(error_of("device-classes:\n- &a\n  name: ssd\n  volume-group: vg\n  <<: *a\n") ==
        "lvmd.yaml:5: device-classes[0].<<: merges mappings that are nested too deeply");
}

TEST_CASE("a key given twice is rejected, regardless of case [P-CFG-4]", "[config]") {
  CHECK(error_of(std::string{kOneClass} + "  name: hdd\n") ==
        "lvmd.yaml:4: device-classes[0].name: is given twice; the first is on line 2");
  CHECK(error_of(std::string{kOneClass} + "  NAME: hdd\n") ==
        "lvmd.yaml:4: device-classes[0].NAME: is given twice; the first is on line 2");
  CHECK(error_of(std::string{kOneClass} + "x: 1\nx: 2\n") ==
        "lvmd.yaml:5: x: is given twice; the first is on line 4");
}

TEST_CASE("a key in another case is accepted as in TopoLVM, with a warning", "[config]") {
  const ParsedConfig result = parsed(std::string{kOneClass} + "  Spare-GB: 1\n");
  CHECK(result.config.catalog.device_classes[0].spare.value >> 30U == 1);
  CHECK(
      result.warnings ==
      Words{"lvmd.yaml:4: device-classes[0].Spare-GB: is read as \"spare-gb\": use this spelling"});
}

TEST_CASE("unambiguous numbers and booleans are accepted as text", "[config]") {
  const auto name = [](const std::string& value) {
    return "device-classes:\n- volume-group: vg\n  name: " + value + "\n";
  };
  for (const char* const value : {"123", "0", "1.5", "true"})
    CHECK(class_of(name(value)).name == value);
  CHECK(class_of(name("'yes'")).name == "yes");
  CHECK(class_of(name("\"010\"")).name == "010");
  CHECK(class_of(name("!!str 010")).name == "010");
  for (const std::string value : {"yes", "Off", "True", "n"})
    CHECK(error_of(name(value)) == "lvmd.yaml:3: device-classes[0].name: " + value +
                                       " is a boolean in YAML: put it in quotes");
  for (const std::string value : {"010", "0x1F", "1_000", "1.50", "1e3", ".inf"})
    CHECK(error_of(name(value)) == "lvmd.yaml:3: device-classes[0].name: " + value +
                                       " is a number in YAML: put it in quotes");
}

TEST_CASE("the whole file is one mapping [P-CFG-1]", "[config]") {
  CHECK(error_of("ssd\n") == "lvmd.yaml:1: expected a mapping, found the text \"ssd\"");
  CHECK(error_of("\n- name: ssd\n") == "lvmd.yaml:2: expected a mapping, found a list");
  CHECK(error_of(std::string{kOneClass} + "[a]: 1\n") ==
        "lvmd.yaml:4: expected a key, found a list");
}

TEST_CASE("a file is one document [P-CFG-1]", "[config]") {
  CHECK(config_of(std::string{kOneClass} + "---\n").socket_group == "lvmd");
  for (const char* const rest : {"---\nx: 1\n", "--- x\n", "--- []\n", "...\n---\n---\n"})
    CHECK_THAT(error_of(std::string{kOneClass} + rest),
               Catch::Matches("lvmd\\.yaml:[456]: contains text after the first YAML document"));
}

TEST_CASE("text outside of documents is rejected", "[config]") {
  CHECK(error_of(std::string{kOneClass} + "]\n") ==
        "lvmd.yaml:4: not valid YAML: illegal flow end");
  CHECK_THAT(error_of("," + std::string{kOneClass}),
             Catch::Contains("lvmd.yaml:1: contains text after the first YAML document"));
}

TEST_CASE("text that is not YAML is rejected with its line [P-CFG-2]", "[config]") {
  for (const auto& [text, line] : std::vector<std::pair<std::string, int>>{
           {"device-classes: [\n", 1},
           {"a: 'b\n", 1},
           {"a: b: c\n", 1},
           {"device-classes:\n- *nowhere\n", 2},
           {"a: 1\n\tb: 2\n", 2},
       }) {
    CAPTURE(text);
    CHECK_THAT(error_of(text),
               Catch::StartsWith("lvmd.yaml:" + std::to_string(line) + ": not valid YAML: "));
  }
}
