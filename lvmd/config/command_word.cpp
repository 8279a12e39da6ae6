#include "lvmd/config/command_word.hpp"

#include <algorithm>
#include <string>

namespace lvmd::config {
Status check_command_word(std::string_view word) {
  if (word.empty()) return fail(Code::kInvalidArgument, "is an empty word");
  if (word.contains(' '))
    return fail(Code::kInvalidArgument,
                "\"{}\" has a blank in it: write each word as a list item of its own", word);
  if (!std::ranges::all_of(word, [](char c) { return c > ' ' && c <= '~'; }))
    return fail(Code::kInvalidArgument, "\"{}\" has a character in it that is not printable ASCII",
                word);
  if (word.find_first_of("\"'\\") != std::string_view::npos)
    return fail(Code::kInvalidArgument, "{} has a quote or backslash in it", word);
  if (word.starts_with('#'))
    return fail(Code::kInvalidArgument, "\"{}\" begins with '#', which LVM takes for a comment",
                word);
  return {};
}

std::vector<Word> read_command_words(Mapping& mapping, std::string_view key) {
  std::vector<Word> words = mapping.words(key);
  for (const Word& word : words)
    if (const Status valid = check_command_word(word.text); !valid)
      mapping.error(word, valid.error().message);
  return words;
}

}  // namespace lvmd::config
