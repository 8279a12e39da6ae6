#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lvmd/base/log.hpp"
#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace {

// Captures what is written to stderr during the object's lifetime.
class CapturedStderr {
 public:
  CapturedStderr() : file_(std::tmpfile()), saved_(::dup(STDERR_FILENO)) {
    REQUIRE(file_);
    REQUIRE(saved_);
    REQUIRE(::dup2(::fileno(file_.get()), STDERR_FILENO) == STDERR_FILENO);
  }
  CapturedStderr(const CapturedStderr&) = delete;
  CapturedStderr& operator=(const CapturedStderr&) = delete;
  ~CapturedStderr() { ::dup2(saved_.get(), STDERR_FILENO); }

  [[nodiscard]] std::string text() const {
    std::array<char, 16384> buffer{};
    const auto size = ::pread(::fileno(file_.get()), buffer.data(), buffer.size(), 0);
    REQUIRE(size >= 0);
    return {buffer.data(), static_cast<std::size_t>(size)};
  }

 private:
  lvmd::UniqueC<std::FILE, &std::fclose> file_;
  lvmd::UniqueFd saved_;
};

}  // namespace

TEST_CASE("without the journal, an entry is one line on stderr with its priority", "[base]") {
  const CapturedStderr captured;
  lvmd::log::init("unit", lvmd::log::Priority::kDebug);
  lvmd::log::error("broken");
  lvmd::log::warning("odd", {{lvmd::log::kVg, "vg1"}, {lvmd::log::kLv, "lv 1"}});
  lvmd::log::notice("worth knowing");
  lvmd::log::info("done");
  lvmd::log::debug("detail");
  CHECK(captured.text() ==
        "<3>unit: broken\n"
        "<4>unit: odd LVMD_VG=vg1 LVMD_LV=lv 1\n"
        "<5>unit: worth knowing\n"
        "<6>unit: done\n"
        "<7>unit: detail\n");
}

TEST_CASE("a newline in a value cannot forge an entry on stderr", "[base]") {
  const CapturedStderr captured;
  lvmd::log::init("unit");
  lvmd::log::info("name \"a\n<3>unit: forged\"", {{lvmd::log::kLv, "a\tb\x7f"}});
  CHECK(captured.text() == "<6>unit: name \"a\\x0a<3>unit: forged\" LVMD_LV=a\\x09b\\x7f\n");
}

TEST_CASE("a long message or value is cut, and the entry has its length [P-SOCK-26]", "[base]") {
  constexpr std::size_t kLong = 4U << 20U;
  const CapturedStderr captured;
  lvmd::log::init("unit");
  lvmd::log::info("m" + std::string(kLong, 'x'), {{lvmd::log::kLv, std::string(kLong, 'y')}});
  CHECK(captured.text() ==
        fmt::format("<6>unit: m{}… (4194305 bytes) LVMD_LV={}… (4194304 bytes)\n",
                    std::string(lvmd::log::kLongestMessage - 1, 'x'),
                    std::string(lvmd::log::kLongestValue, 'y')));
}

TEST_CASE("a cut does not split a character, and a short text is not cut [P-SOCK-26]", "[base]") {
  const CapturedStderr captured;
  lvmd::log::init("unit");
  const std::string head(lvmd::log::kLongestValue - 2, 'x');
  lvmd::log::info("a", {{lvmd::log::kLv, head + "€"}});
  lvmd::log::info("b", {{lvmd::log::kLv, head + "yz"}});
  CHECK(captured.text() == fmt::format("<6>unit: a LVMD_LV={}… (513 bytes)\n"
                                       "<6>unit: b LVMD_LV={}yz\n",
                                       head, head));
}

TEST_CASE("entries below the threshold are dropped", "[base]") {
  const CapturedStderr captured;
  lvmd::log::init("unit", lvmd::log::Priority::kWarning);
  lvmd::log::info("dropped");
  lvmd::log::notice("dropped too");
  lvmd::log::warning("kept");
  CHECK(captured.text() == "<4>unit: kept\n");
}

TEST_CASE("entries go to stderr if JOURNAL_STREAM names another file", "[base]") {
  const CapturedStderr captured;
  REQUIRE(::setenv("JOURNAL_STREAM", "0:0", 1) == 0);
  lvmd::log::init("unit");
  REQUIRE(::unsetenv("JOURNAL_STREAM") == 0);
  lvmd::log::info("here");
  CHECK(captured.text() == "<6>unit: here\n");
}
