#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/mover/redact.hpp"

using namespace lvmd;
using lvmd::transfers::mover::Redactor;

namespace {

Redactor redactor() {
  v1::Credentials credentials;
  credentials.set_password("sesame");
  credentials.set_rest_password("p@ss/word");
  credentials.set_secret_access_key("sesame+more");
  return Redactor{credentials};
}

}  // namespace

TEST_CASE("secrets are redacted, also in percent-encoded form [P-XFER-12]", "[mover]") {
  const Redactor redact = redactor();
  CHECK(redact("the password is sesame") == "the password is ***");
  CHECK(redact("sesamesesame") == "******");
  CHECK(redact("https://u:p%40ss%2Fword@host/") == "https://u:***@host/");
  // The longer secret is replaced as a whole, although the shorter one is a part of it.
  CHECK(redact("key sesame+more.") == "key ***.");
  CHECK(redact("nothing") == "nothing");
}

TEST_CASE("a text becomes one line of UTF-8", "[mover]") {
  const Redactor redact = redactor();
  CHECK(redact("a\nb\t\tc\n") == "a b c");
  CHECK(redact("gr\xC3\xBC\xC3\x9F \xFF\xC0\x80 \xED\xA0\x80.") == "gr\xC3\xBC\xC3\x9F ??? ???.");
  CHECK(redact("\xE2\x82") == "??");
  CHECK(redact("\xF0\x9F\x98\x80") == "\xF0\x9F\x98\x80");
  CHECK(redact(std::string(2000, 'x')).size() == 1000);
}

TEST_CASE("without secrets nothing is redacted", "[mover]") {
  CHECK(Redactor{v1::Credentials{}}("a text") == "a text");
}
