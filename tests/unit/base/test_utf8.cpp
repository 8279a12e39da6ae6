#include <catch2/catch.hpp>
#include <string>

#include "lvmd/base/utf8.hpp"

using lvmd::character_size;
using lvmd::whole_characters;

TEST_CASE("a valid character of UTF-8 has its size", "[base]") {
  CHECK(character_size("a") == 1);
  CHECK(character_size("\xc3\xa9t") == 2);
  CHECK(character_size("\xe2\x82\xac") == 3);
  CHECK(character_size("\xed\x9f\xbf") == 3);
  CHECK(character_size("\xf0\x90\x80\x80") == 4);
  CHECK(character_size("\xf4\x8f\xbf\xbf") == 4);
}

TEST_CASE("an invalid character of UTF-8 has no size", "[base]") {
  const char* const text =
      GENERATE("\x80", "\xc1\x80", "\xc3", "\xc3t", "\xe0\x9f\x80", "\xed\xa0\x80", "\xe2\x82",
               "\xf0\x8f\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff");
  CHECK(character_size(text) == 0);
}

TEST_CASE("a text is cut between two characters", "[base]") {
  const std::string text =
      "ab\xe2\x82\xac"
      "c";
  CHECK(whole_characters(text, 6) == text);
  CHECK(whole_characters(text, 5) == "ab\xe2\x82\xac");
  CHECK(whole_characters(text, 4) == "ab");
  CHECK(whole_characters(text, 3) == "ab");
  CHECK(whole_characters(text, 2) == "ab");
  CHECK(whole_characters("\x80\x80\x80\x80\x80\x80\x80", 5).size() == 2);
}
