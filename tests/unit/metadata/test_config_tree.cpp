#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/metadata/config_tree.hpp"

using namespace lvmd;
using namespace lvmd::metadata;

namespace {

const std::string kText = R"(
size = 12 fraction = 0.5
path = "C:\\dir\n"
name = "a \"quoted\" name"	# a comment with { in it
list = ["x", "y"]
none = []
minus = -1
areas = ["pv0", 0, "pv1", 7]
odd = ["pv0", 0, "pv1"]
group {
	size = 3
	inner { }
}
)";

}  // namespace

TEST_CASE("values are read with their type", "[metadata]") {
  const auto tree = ConfigTree::parse(kText);
  REQUIRE(tree);
  const ConfigSection root = tree->root();
  CHECK(root.number("size") == 12U);
  CHECK(root.number_or("absent", 5) == 5U);
  CHECK(root.text("name") == "a \"quoted\" name");
  CHECK(root.text("path") == "C:\\dir\\n");
  CHECK(root.text_or_empty("absent") == "");
  CHECK(root.texts("list") == std::vector<std::string>{"x", "y"});
  CHECK(root.texts("none")->empty());
  CHECK(root.texts("absent")->empty());
  CHECK(root.areas("areas") ==
        std::vector<std::pair<std::string, std::uint64_t>>{{"pv0", 0}, {"pv1", 7}});
  CHECK(root.has("list"));
  CHECK_FALSE(root.has("absent"));
}

TEST_CASE("sections have their path", "[metadata]") {
  const auto tree = ConfigTree::parse(kText);
  REQUIRE(tree);
  const auto groups = tree->root().sections();
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].first == "group");
  CHECK(groups[0].second.number("size") == 3U);
  const auto inner = groups[0].second.sections();
  REQUIRE(inner.size() == 1);
  CHECK(inner[0].second.path() == "group/inner");
}

TEST_CASE("a value of another type is an error with its path", "[metadata]") {
  const auto tree = ConfigTree::parse(kText);
  REQUIRE(tree);
  const ConfigSection root = tree->root();
  CHECK_FALSE(root.number("absent"));
  CHECK_FALSE(root.number("name"));
  CHECK_FALSE(root.number("minus"));
  CHECK_FALSE(root.number("fraction"));
  CHECK_FALSE(root.number("group"));
  CHECK_FALSE(root.number("size", 11));
  CHECK_FALSE(root.text("size"));
  CHECK_FALSE(root.texts("areas"));
  CHECK_FALSE(root.areas("list"));
  CHECK_FALSE(root.areas("odd"));
  const auto error = root.sections()[0].second.number("name").error();
  CHECK(error.code == Code::kUnimplemented);
  CHECK(error.message.starts_with("group/name is not a number"));
}

TEST_CASE("a text with invalid syntax is rejected", "[metadata]") {
  const std::string text =
      GENERATE(as<std::string>{}, "", "# a", "group {", "= 3", "a = [1, ", "}", "a",
               "a = ", "a = b", "a = 1b", "a = -", "a = \"b", "a b = 1", "a = [1 2]", "a = [1,]",
               "a = [[1]]", "a/b = 1", "a = 010", "a = -010", "a = 9223372036854775808", "a = 1 }");
  CAPTURE(text);
  const auto tree = ConfigTree::parse(text);
  REQUIRE_FALSE(tree);
  CHECK(tree.error().code == Code::kUnimplemented);
  const std::string nul{"a = \"\0\"", 7};
  CHECK_FALSE(ConfigTree::parse(nul));
  const std::string lines = "a = 1\nb {\n\n c = d\n}";
  CHECK(ConfigTree::parse(lines).error().message == "the metadata text cannot be parsed at line 4");
}

TEST_CASE("a text that is nested too deeply is rejected", "[metadata]") {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "a {\n";
  const auto tree = ConfigTree::parse(text);
  REQUIRE_FALSE(tree);
  CHECK(tree.error().message == "the metadata text is nested deeper than 8");
}

TEST_CASE("braces in strings and comments do not count", "[metadata]") {
  std::string text = "a = \"";
  for (int i = 0; i < 20; ++i) text += "{\\\"";
  text += "\"\n# {{{{{{{{{{{{{{{{\nb = 1\n";
  const auto tree = ConfigTree::parse(text);
  REQUIRE(tree);
  CHECK(tree->root().number("b") == 1U);
}
