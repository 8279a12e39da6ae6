// Characters of UTF-8 texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace lvmd {

// The number of bytes of the first character; 0 if it is incomplete or not valid. Overlong forms
// and surrogates are not valid, because protobuf rejects them. `text` must not be empty.
[[nodiscard]] std::size_t character_size(std::string_view text);

// The beginning of the text, at most `limit` bytes, that does not end within a character. A
// text that is not UTF-8 may be cut anywhere.
[[nodiscard]] std::string_view whole_characters(std::string_view text, std::size_t limit);

}  // namespace lvmd
