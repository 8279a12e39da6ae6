#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "csi/controller/paging.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;

namespace {

std::vector<reconciler::LogicalVolume> objects(const std::vector<std::string>& names) {
  std::vector<reconciler::LogicalVolume> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(sample_volume(name));
  return all;
}

std::string names_of(const ListPage& page) {
  std::string names;
  for (const auto& object : page.objects) names += object.key.name + " ";
  return names;
}

}  // namespace

TEST_CASE("a list is in the order of names, page by page [C-LIST-1]", "[csi][controller]") {
  const auto all = objects({"c", "a", "e", "d", "b"});
  const auto whole = page_of(all, 0, "");
  CHECK(names_of(*whole) == "a b c d e ");
  CHECK(whole->next_token.empty());
  const auto first = page_of(all, 2, "");
  CHECK(names_of(*first) == "a b ");
  const auto second = page_of(all, 2, first->next_token);
  CHECK(names_of(*second) == "c d ");
  const auto last = page_of(all, 2, second->next_token);
  CHECK(names_of(*last) == "e ");
  CHECK(last->next_token.empty());
  CHECK(page_of(all, 5, "")->next_token.empty());
}

TEST_CASE("a token stays valid while objects come and go [C-LIST-2]", "[csi][controller]") {
  const auto first = page_of(objects({"a", "b", "c"}), 2, "");
  CHECK(names_of(*page_of(objects({"a", "ab", "c", "d"}), 2, first->next_token)) == "c d ");
  CHECK(names_of(*page_of({}, 2, first->next_token)).empty());
}

TEST_CASE("a page has at most 1,000 entries [C-LIST-1]", "[csi][controller]") {
  std::vector<std::string> names;
  names.reserve(1001);
  for (int i = 0; i < 1001; ++i) names.push_back(std::to_string(10'000 + i));
  const auto page = page_of(objects(names), 0, "");
  CHECK(page->objects.size() == 1000);
  CHECK(page_of(objects(names), 0, page->next_token)->objects.size() == 1);
  CHECK(page_of(objects(names), 2000, "")->objects.size() == 1000);
}

TEST_CASE("an unknown token is ABORTED, a negative number of entries invalid [C-LIST-2]",
          "[csi][controller]") {
  for (const char* const token : {"invalid-token", "after:", "after:A B", "a"})
    CHECK(page_of(objects({"a"}), 0, token).error().code == Code::kAborted);
  CHECK(page_of(objects({"a"}), -1, "").error().code == Code::kInvalidArgument);
}
