#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;

namespace {

constexpr const char* kPlace = "lvmd.yaml:4: device-classes[0].lvcreate-options[0]: ";

std::string with_options(const std::string& words) {
  return std::string{kOneClass} + "  lvcreate-options: [" + words + "]\n";
}

std::string thin_with_options(const std::string& words) {
  return with_options(words) + "  type: thin\n  thin-pool: {name: p, overprovision-ratio: 1}\n";
}

std::string option_class(const std::string& words) {
  return std::string{kOneClass} + "lvcreate-option-classes:\n- {name: a, options: [" + words +
         "]}\n";
}

}  // namespace

TEST_CASE("options that lvmd cannot work with are rejected [P-CFG-40]", "[config]") {
  const auto [words, reason] = GENERATE(table<std::string, std::string>({
      {"--devices, /dev/sda", "--devices (--devices) changes which devices LVM uses"},
      {"--devicesf=x", "--devicesf=x (--devicesfile) changes which devices LVM uses"},
      {"--config=a=1", "--config=a=1 (--config) changes settings that lvmd relies on"},
      {"--profile=x", "--profile=x (--profile) changes settings that lvmd relies on"},
      {"--command-profile=x", "(--commandprofile) changes settings that lvmd relies on"},
      {"-nx", "-nx (--name) is set by lvmd"},
      {"-L1g", "-L1g (--size) is set by lvmd"},
      {"-l, 100%FREE", "-l (--extents) is set by lvmd"},
      {"-V1g", "-V1g (--virtualsize) is set by lvmd"},
      {"-y", "-y (--yes) is set by lvmd"},
      {"-Wn", "-Wn (--wipesignatures) is set by lvmd"},
      {"--thinpool=p", "--thinpool=p (--thinpool) is set by lvmd"},
      {"-s", "-s (--snapshot) creates a snapshot"},
      {"-h", "-h (--help) creates no volume"},
      {"--version", "--version (--version) creates no volume"},
      {"-t", "-t (--test) creates no volume"},
      {"-an", "--activate=n leaves the volume inactive"},
      {"--activate, ln", "--activate=ln leaves the volume inactive"},
      {"--addtag=lvmd.v1:class=x", "adds a tag that begins with lvmd.v1:"},
      {"-T", "--thin= needs a class of type thin"},
      {"--type=thin", "--type=thin needs a class of type thin"},
      {"--type=thin-pool", "--type=thin-pool creates a volume that callers cannot use"},
      {"--", "-- ends the options"},
      {"raid1", "raid1 is neither an option nor the path or @tag of a PV"},
  }));
  CAPTURE(words);
  CHECK_THAT(error_of(with_options(words)), Catch::StartsWith(kPlace) && Catch::Contains(reason));
}

TEST_CASE("options that work with TopoLVM work [P-CFG-40]", "[config]") {
  const std::string words = GENERATE(
      as<std::string>{}, "--type=raid1, -m, 1, --nosync", "-i, 2, -I, 64k", "-Zn", "-ay",
      "--addtag=mine", "-r, auto", "--alloc=cling", "-kn, --setautoactivation=n",
      "/dev/sdb, '@fast'", "--cachepool=c, --type=cache", "-pr", "-vv, -d", "--ignoremonitoring");
  CAPTURE(words);
  CHECK(error_of(with_options(words) + "strict: true\n") == "no error");
  CHECK(error_of(option_class(words) + "strict: true\n") == "no error");
}

TEST_CASE("a thin class accepts the type thin, but no PVs [P-CFG-40]", "[config]") {
  CHECK(error_of(thin_with_options("--type=thin, -T")) == "no error");
  CHECK(error_of(option_class("-T")) == "no error");
  CHECK(error_of(thin_with_options("/dev/sdb")) ==
        std::string{kPlace} + "/dev/sdb is not an option, and thin volumes accept no PVs");
}

TEST_CASE("options with a doubtful effect are warnings [P-CFG-41, P-CFG-42]", "[config]") {
  const auto [words, reason] = GENERATE(table<std::string, std::string>({
      {"--reportformat=json", "has no effect"},
      {"--nolocking", "allows other programs to change the volume group"},
      {"--noudevsync", "allows a call to return before the volume's device node exists"},
      {"--nonsense", "--nonsense is unknown to lvmd, or lacks its value"},
      {"--stripe=2", "--stripe=2 is unknown to lvmd, or lacks its value"},
      {"-m", "-m is unknown to lvmd, or lacks its value"},
  }));
  const auto warnings = warnings_of(with_options(words));
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Catch::StartsWith(kPlace) && Catch::Contains(reason));
}
