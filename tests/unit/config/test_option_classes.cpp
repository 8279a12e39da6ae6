#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;
using lvmd::model::OptionClass;
using OptionClasses = std::vector<OptionClass>;

namespace {

// `text` from line 4 on.
std::string with_one_class(const std::string& text) { return std::string{kOneClass} + text; }

}  // namespace

TEST_CASE("option classes are names with arguments [P-CFG-26]", "[config]") {
  CHECK(config_of(kOneClass).catalog.option_classes.empty());
  CHECK(config_of(with_one_class("lvcreate-option-classes:\n"
                                 "- name: raid1\n"
                                 "  options: [--type=raid1, --mirrors=1]\n"
                                 "- name: plain\n"))
            .catalog.option_classes ==
        OptionClasses{{.name = "raid1", .options = {"--type=raid1", "--mirrors=1"}},
                      {.name = "plain", .options = {}}});
}

TEST_CASE("an option class's name fits a tag [P-CFG-27]", "[config]") {
  const std::string rule = " has a character other than letters, digits and _+.-/=!:&#";
  const auto [name, reason] = GENERATE_COPY(table<std::string, std::string>({
      {"~", "is required"},
      {"''", "must not be empty"},
      {"a b", "\"a b\"" + rule},
      {"a,b", "\"a,b\"" + rule},
      {"yes", "yes is a boolean in YAML: put it in quotes"},
      {std::string(129, 'x'), "has 129 characters, at most 128 are allowed"},
  }));
  CHECK(error_of(with_one_class("lvcreate-option-classes:\n- name: " + name + "\n")) ==
        "lvmd.yaml:5: lvcreate-option-classes[0].name: " + reason);
}

TEST_CASE("of two option classes with one name, the later is used [P-CFG-27]", "[config]") {
  const std::string text = with_one_class(
      "lvcreate-option-classes:\n"
      "- {name: a, options: [-m, 1]}\n"
      "- {name: b}\n"
      "- {name: a, options: [-m, 2]}\n");
  const ParsedConfig result = parsed(text);
  CHECK(result.config.catalog.option_classes ==
        OptionClasses{{.name = "a", .options = {"-m", "2"}}, {.name = "b", .options = {}}});
  const std::string finding =
      "lvmd.yaml:7: lvcreate-option-classes[2].name: \"a\" is given twice; lvmd uses this one";
  CHECK(result.warnings == std::vector<std::string>{finding});
  CHECK(error_of(text + "strict: true\n") == finding);
}

TEST_CASE("options of option classes are checked as those of device classes [P-CFG-28]",
          "[config]") {
  CHECK(error_of(with_one_class("lvcreate-option-classes:\n- name: a\n  options: ['-m 1']\n")) ==
        "lvmd.yaml:6: lvcreate-option-classes[0].options[0]: \"-m 1\" contains a blank: write "
        "each argument as a separate list item");
  CHECK(config_of(
            with_one_class("lvcreate-option-classes:\n- {name: a, options: [-i, 2, -I, 64k]}\n"))
            .catalog.option_classes[0]
            .options.size() == 4);
}
