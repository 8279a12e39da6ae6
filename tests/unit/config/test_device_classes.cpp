#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;
using lvmd::model::Bytes;
using lvmd::model::DeviceClass;
using lvmd::model::ThinPoolTarget;

namespace {

std::string with_name(const std::string& name) {
  return "device-classes:\n- name: " + name + "\n  volume-group: vg\n";
}

// A thin class with `lines` in its thin-pool, from line 6 on.
std::string with_pool(const std::string& lines) {
  return std::string{kOneClass} + "  type: thin\n  thin-pool:\n" + lines;
}

// One class with `line` as line 4.
std::string with_line(const std::string& line) {
  return std::string{kOneClass} + "  " + line + "\n";
}

}  // namespace

TEST_CASE("a class with only the required keys has the documented defaults", "[config]") {
  CHECK(class_of(kOneClass) == DeviceClass{.name = "ssd",
                                           .volume_group = "vg",
                                           .is_default = false,
                                           .spare = {10'737'418'240},
                                           .stripes = 0,
                                           .stripe_size = "",
                                           .lvcreate_options = {},
                                           .thin_pool = std::nullopt});
}

TEST_CASE("a class accepts every documented key", "[config]") {
  CHECK(class_of("device-classes:\n"
                 "- name: fast.ssd\n"
                 "  volume-group: vg_1\n"
                 "  default: true\n"
                 "  spare-gb: 20\n"
                 "  stripe: 2\n"
                 "  stripe-size: 64k\n"
                 "  lvcreate-options: [--type=raid0, -m, 1]\n"
                 "  type: thin\n"
                 "  thin-pool:\n"
                 "    name: pool0\n"
                 "    overprovision-ratio: 5.5\n") ==
        DeviceClass{.name = "fast.ssd",
                    .volume_group = "vg_1",
                    .is_default = true,
                    .spare = {21'474'836'480},
                    .stripes = 2,
                    .stripe_size = "64k",
                    .lvcreate_options = {"--type=raid0", "-m", "1"},
                    .thin_pool = ThinPoolTarget{.name = "pool0", .overprovision_ratio = 5.5}});
}

TEST_CASE("at least one class is required [P-CFG-13]", "[config]") {
  const auto [text, line] = GENERATE(table<std::string, int>({
      {"", 1},
      {"# nothing but this\n", 1},
      {"---\n", 1},
      {"null\n", 1},
      {"{}\n", 1},
      {"device-classes:\n", 1},
      {"strict: false\ndevice-classes: []\n", 2},
  }));
  CAPTURE(text);
  CHECK(error_of(text) ==
        "lvmd.yaml:" + std::to_string(line) + ": device-classes: at least one is required");
}

TEST_CASE("device-classes is a list of mappings", "[config]") {
  CHECK(error_of("device-classes: ssd\n") ==
        "lvmd.yaml:1: device-classes: expected a list, found the text \"ssd\"");
  CHECK(error_of("device-classes:\n  name: ssd\n") ==
        "lvmd.yaml:1: device-classes: expected a list, found a mapping");
  CHECK(error_of("device-classes:\n- name: ssd\n  volume-group: vg\n- hdd\n") ==
        "lvmd.yaml:4: device-classes[1]: expected a mapping, found the text \"hdd\"");
  CHECK(error_of("device-classes: [~]\n") ==
        "lvmd.yaml:1: device-classes[0]: expected a mapping, found nothing");
}

TEST_CASE("names that TopoLVM accepts are accepted [P-CFG-14]", "[config]") {
  const std::string name =
      GENERATE(as<std::string>{}, "a", "A9", "a-b_c.d", "0", "a..b", std::string(63, 'x'));
  CHECK(class_of(with_name(name)).name == name);
}

TEST_CASE("other names are rejected [P-CFG-14]", "[config]") {
  const std::string rule =
      " must be letters, digits, '-', '_' and '.', with a letter or digit at both ends";
  const auto [name, reason] = GENERATE_COPY(table<std::string, std::string>({
      {"''", "must not be empty"},
      {"", "is required"},
      {"~", "is required"},
      {"-a", "\"-a\"" + rule},
      {"a-", "\"a-\"" + rule},
      {".a", "\".a\"" + rule},
      {"a_", "\"a_\"" + rule},
      {"a b", "\"a b\"" + rule},
      {"a/b", "\"a/b\"" + rule},
      {"a+b", "\"a+b\"" + rule},
      {std::string(64, 'x'),
       "\"" + std::string(64, 'x') + "\" has 64 characters, at most 63 are allowed"},
  }));
  CHECK(error_of(with_name(name)) == "lvmd.yaml:2: device-classes[0].name: " + reason);
}

TEST_CASE("a missing name or volume-group is reported at the class's line", "[config]") {
  CHECK(error_of("device-classes:\n- volume-group: vg\n") ==
        "lvmd.yaml:2: device-classes[0].name: is required");
  CHECK(error_of("device-classes:\n- default: true\n  name: ssd\n") ==
        "lvmd.yaml:2: device-classes[0].volume-group: is required");
}

TEST_CASE("a class's name is unique [P-CFG-14]", "[config]") {
  CHECK(error_of("device-classes:\n"
                 "- name: ssd\n  volume-group: vg1\n"
                 "- volume-group: vg2\n  name: ssd\n") ==
        "lvmd.yaml:5: device-classes[1].name: \"ssd\" is the name of two device classes");
}

TEST_CASE("the volume group's name follows LVM's rules [P-CFG-15]", "[config]") {
  const auto [name, reason] = GENERATE(table<std::string, std::string>({
      {"''", "must not be empty"},
      {"-vg", "volume group \"-vg\" must not start with '-' or be \".\" or \"..\""},
      {"my/vg",
       "volume group \"my/vg\" has a character other than letters, digits, '_', '.', '+' and '-'"},
      {"[vg]", "expected text, found a list"},
      {"{vg: 1}", "expected text, found a mapping"},
  }));
  CHECK(error_of("device-classes:\n- name: ssd\n  volume-group: " + name + "\n") ==
        "lvmd.yaml:3: device-classes[0].volume-group: " + reason);
  CHECK(class_of("device-classes:\n- name: ssd\n  volume-group: my_vg.0+a-b\n").volume_group ==
        "my_vg.0+a-b");
}

TEST_CASE("type is thick, thin or empty [P-CFG-16]", "[config]") {
  for (const char* const type : {"thick", "''", "~", ""})
    CHECK_FALSE(class_of(with_line(std::string{"type: "} + type)).is_thin());
  CHECK(error_of(with_line("type: Thin")) ==
        "lvmd.yaml:4: device-classes[0].type: \"Thin\" must be \"thick\" or \"thin\"");
}

TEST_CASE("default is a boolean [P-CFG-17]", "[config]") {
  for (const char* const value : {"true", "yes", "on"})
    CHECK(class_of(with_line(std::string{"default: "} + value)).is_default);
  for (const char* const value : {"false", "no", "~"})
    CHECK_FALSE(class_of(with_line(std::string{"default: "} + value)).is_default);
  CHECK(error_of(with_line("default: 1")) ==
        "lvmd.yaml:4: device-classes[0].default: expected true or false, found the number 1");
  CHECK(error_of(with_line("default: 'true'")) ==
        "lvmd.yaml:4: device-classes[0].default: expected true or false, found the text \"true\"");
}

TEST_CASE("at most one class is the default [P-CFG-17]", "[config]") {
  CHECK(error_of("device-classes:\n"
                 "- name: a\n  volume-group: vg1\n  default: true\n"
                 "- name: b\n  volume-group: vg2\n  default: false\n"
                 "- name: c\n  volume-group: vg3\n  default: true\n") ==
        "lvmd.yaml:10: device-classes[2].default: device class \"a\" is already the default");
}

TEST_CASE("spare-gb is in GiB [P-CFG-18]", "[config]") {
  CHECK(class_of(with_line("spare-gb: 0")).spare == Bytes{0});
  CHECK(class_of(with_line("spare-gb: ~")).spare == Bytes{10'737'418'240});
  CHECK(class_of(with_line("spare-gb: 1")).spare == Bytes{1'073'741'824});
  CHECK(class_of(with_line("spare-gb: 2.0")).spare == Bytes{2'147'483'648});
  CHECK(class_of(with_line("spare-gb: 8589934591")).spare == Bytes{9'223'372'035'781'033'984U});
}

TEST_CASE("spare-gb that is not a number of GiB is rejected [P-CFG-18]", "[config]") {
  const auto [value, reason] = GENERATE(table<std::string, std::string>({
      {"-1", "must not be negative: -1"},
      {"1.5", "expected a whole number, found the number 1.5"},
      {"ten", "expected a number, found the text \"ten\""},
      {"'10'", "expected a number, found the text \"10\""},
      {"10Gi", "expected a number, found the text \"10Gi\""},
      {"true", "expected a number, found the boolean true"},
      {"[1]", "expected a number, found a list"},
      {".nan", "expected a whole number, found the number .nan"},
      {".inf", ".inf is too large: the maximum is 8589934591"},
      {"8589934592", "8589934592 is too large: the maximum is 8589934591"},
      {"18446744073709551615", "18446744073709551615 is too large: the maximum is 8589934591"},
      {"99999999999999999999", "99999999999999999999 is too large: the maximum is 8589934591"},
  }));
  CHECK(error_of(with_line("spare-gb: " + value)) ==
        "lvmd.yaml:4: device-classes[0].spare-gb: " + reason);
}

TEST_CASE("stripe is a number that LVM accepts [P-CFG-19]", "[config]") {
  CHECK(class_of(with_line("stripe: 0")).stripes == 0);
  CHECK(class_of(with_line("stripe: 128")).stripes == 128);
  CHECK(error_of(with_line("stripe: 129")) ==
        "lvmd.yaml:4: device-classes[0].stripe: 129 is too large: the maximum is 128");
  CHECK(error_of(with_line("stripe: -2")) ==
        "lvmd.yaml:4: device-classes[0].stripe: must not be negative: -2");
}

TEST_CASE("stripe-size is digits and a unit [P-CFG-20]", "[config]") {
  const std::string size =
      GENERATE(as<std::string>{}, "64", "64k", "64K", "1m", "1G", "1t", "1P", "1e", "4096b", "8S");
  CHECK(class_of(with_line("stripe: 2") + "  stripe-size: " + size + "\n").stripe_size == size);
}

TEST_CASE("stripe-size of another form is rejected [P-CFG-20]", "[config]") {
  const auto [size, shown] = GENERATE(table<std::string, std::string>({
      {"64kb", "64kb"},
      {"64x", "64x"},
      {"k64", "k64"},
      {"'-64'", "-64"},
      {"64 k", "64 k"},
      {"'6.4k'", "6.4k"},
  }));
  CHECK(error_of(with_line("stripe-size: " + size)) ==
        "lvmd.yaml:4: device-classes[0].stripe-size: \"" + shown +
            "\" must be digits and one of k, m, g, t, p, e, b, s");
}

TEST_CASE("stripe-size without digits or without stripe is ignored [P-CFG-20]", "[config]") {
  const ParsedConfig no_digits = parsed(with_line("stripe: 2") + "  stripe-size: k\n");
  CHECK(no_digits.config.catalog.device_classes[0].stripe_size.empty());
  CHECK(no_digits.warnings ==
        std::vector<std::string>{
            "lvmd.yaml:5: device-classes[0].stripe-size: \"k\" has no digits and is ignored"});

  const ParsedConfig no_stripe = parsed(with_line("stripe-size: 64k"));
  CHECK(no_stripe.config.catalog.device_classes[0].stripe_size.empty());
  CHECK(no_stripe.warnings ==
        std::vector<std::string>{
            "lvmd.yaml:4: device-classes[0].stripe-size: is ignored without stripe"});

  CHECK(class_of(with_line("stripe-size: ''")).stripe_size.empty());
}

TEST_CASE("lvcreate-options are arguments, each reported at its place [P-CFG-21]", "[config]") {
  CHECK(class_of(with_line("lvcreate-options: [--type=raid1, -m, 1]")).lvcreate_options ==
        std::vector<std::string>{"--type=raid1", "-m", "1"});
  CHECK(class_of(with_line("lvcreate-options: []")).lvcreate_options.empty());
  CHECK(error_of(with_line("lvcreate-options:\n  - -m\n  - --type raid1")) ==
        "lvmd.yaml:6: device-classes[0].lvcreate-options[1]: \"--type raid1\" contains a blank: "
        "write each argument as a separate list item");
  CHECK(error_of(with_line("lvcreate-options: --nosync")) ==
        "lvmd.yaml:4: device-classes[0].lvcreate-options: expected a list, found the text "
        "\"--nosync\"");
  CHECK(error_of(with_line("lvcreate-options: [[a]]")) ==
        "lvmd.yaml:4: device-classes[0].lvcreate-options[0]: expected text, found a list");
}

TEST_CASE("lvcreate-options conflict with stripe and stripe-size", "[config]") {
  const std::string striped = with_line("stripe: 2");
  CHECK(error_of(striped + "  lvcreate-options: [-i2]\n") ==
        "lvmd.yaml:5: device-classes[0].lvcreate-options[0]: -i2 conflicts with stripe: use only "
        "one of them");
  CHECK(error_of(striped + "  lvcreate-options: [-Zy, --stripes=2]\n") ==
        "lvmd.yaml:5: device-classes[0].lvcreate-options[1]: --stripes=2 conflicts with stripe: "
        "use only one of them");
  CHECK(error_of(striped + "  stripe-size: 64k\n  lvcreate-options: [-I, 64k]\n") ==
        "lvmd.yaml:6: device-classes[0].lvcreate-options[0]: -I conflicts with stripe-size: use "
        "only one of them");
  CHECK(class_of(striped + "  lvcreate-options: [-I, 64k]\n").lvcreate_options.size() == 2);
  CHECK(class_of(with_line("lvcreate-options: [-i, 2, -I, 64k]")).lvcreate_options.size() == 4);
}

TEST_CASE("a thin class needs a pool [P-CFG-22]", "[config]") {
  CHECK(error_of(with_line("type: thin")) ==
        "lvmd.yaml:2: device-classes[0].thin-pool: is required because type is thin");
  CHECK(error_of(with_line("type: thin\n  thin-pool: pool")) ==
        "lvmd.yaml:5: device-classes[0].thin-pool: expected a mapping, found the text \"pool\"");
}

TEST_CASE("the pool of a thick class is ignored and not checked [P-CFG-22]", "[config]") {
  const ParsedConfig thick = parsed(with_line("thin-pool: {overprovision-ratio: 0.5}"));
  CHECK_FALSE(thick.config.catalog.device_classes[0].is_thin());
  CHECK(thick.warnings ==
        std::vector<std::string>{
            "lvmd.yaml:4: device-classes[0].thin-pool: is ignored because type is not thin"});
}

TEST_CASE("a pool needs its name [P-CFG-23]", "[config]") {
  CHECK(error_of(with_pool("    overprovision-ratio: 1\n")) ==
        "lvmd.yaml:5: device-classes[0].thin-pool.name: is required");
  CHECK(error_of(with_pool("    overprovision-ratio: 1\n    name: a/b\n")) ==
        "lvmd.yaml:7: device-classes[0].thin-pool.name: thin pool \"a/b\" has a character other "
        "than letters, digits, '_', '.', '+' and '-'");
}

TEST_CASE("the overprovision ratio is a number from 1 [P-CFG-24]", "[config]") {
  const auto ratio = [](const std::string& value) {
    return class_of(with_pool("    name: p\n    overprovision-ratio: " + value + "\n"))
        .thin_pool->overprovision_ratio;
  };
  CHECK(ratio("1") == 1.0);
  CHECK(ratio("1.0") == 1.0);
  CHECK(ratio("2.5") == 2.5);
  CHECK(ratio("1e2") == 100.0);
}

TEST_CASE("another overprovision ratio is rejected [P-CFG-24]", "[config]") {
  const auto [value, reason] = GENERATE(table<std::string, std::string>({
      {"0", "must be a number of at least 1.0: 0"},
      {"0.999", "must be a number of at least 1.0: 0.999"},
      {"-1", "must be a number of at least 1.0: -1"},
      {".nan", "must be a number of at least 1.0: nan"},
      {".inf", "must be a number of at least 1.0: inf"},
      {"'2'", "expected a number, found the text \"2\""},
      {"two", "expected a number, found the text \"two\""},
      {"", "is required"},
  }));
  CHECK(error_of(with_pool("    name: p\n    overprovision-ratio: " + value + "\n")) ==
        "lvmd.yaml:7: device-classes[0].thin-pool.overprovision-ratio: " + reason);
  CHECK(error_of(with_pool("    name: p\n")) ==
        "lvmd.yaml:5: device-classes[0].thin-pool.overprovision-ratio: is required");
}

TEST_CASE("a volume group has one thick class [P-CFG-25]", "[config]") {
  CHECK(error_of("device-classes:\n"
                 "- name: a\n  volume-group: vg\n"
                 "- name: b\n  volume-group: vg\n") ==
        "lvmd.yaml:5: device-classes[1].volume-group: \"vg\" already has the thick "
        "device class \"a\"");
}

TEST_CASE("a pool has one thin class [P-CFG-25]", "[config]") {
  const auto thin = [](const std::string& name, const std::string& group, const std::string& pool) {
    return "- {name: " + name + ", volume-group: " + group +
           ", type: thin, thin-pool: {name: " + pool + ", overprovision-ratio: 1}}\n";
  };
  CHECK(error_of("device-classes:\n" + thin("a", "vg", "p") + thin("b", "vg", "p")) ==
        "lvmd.yaml:3: device-classes[1].thin-pool: \"vg/p\" is already the pool of device "
        "class \"a\"");
  const Config config =
      config_of("device-classes:\n" + thin("a", "vg", "p") + thin("b", "vg", "q") +
                thin("c", "vg2", "p") + "- {name: d, volume-group: vg}\n");
  CHECK(config.catalog.device_classes.size() == 4);
  CHECK(config.volume_groups() == std::vector<std::string>{"vg", "vg2"});
}

TEST_CASE("a thin pool's high-water marks are percents [P-CFG-43, P-CFG-44]", "[config]") {
  const std::string pool = "    name: p\n    overprovision-ratio: 1\n";
  const ThinPoolTarget none = *class_of(with_pool(pool)).thin_pool;
  CHECK_FALSE(none.data_high_water_percent);
  CHECK_FALSE(none.metadata_high_water_percent);
  const ThinPoolTarget both = *class_of(with_pool(pool + "    data-high-water-percent: 85.5\n"
                                                         "    metadata-high-water-percent: 100\n"))
                                   .thin_pool;
  CHECK(both.data_high_water_percent == 85.5);
  CHECK(both.metadata_high_water_percent == 100);
  const auto [written, shown] = GENERATE(
      table<std::string, std::string>({{"0", "0"}, {"101", "101"}, {"-1", "-1"}, {".nan", "nan"}}));
  CHECK(error_of(with_pool(pool + "    data-high-water-percent: " + written + "\n")) ==
        "lvmd.yaml:8: device-classes[0].thin-pool.data-high-water-percent: must be a number above "
        "0 and at most 100: " +
            shown);
}
