// Members of JSON objects from other writers. A member of the wrong type counts as absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/text_fields.hpp"

namespace lvmd::reconciler::kube {

// Unavailable when the text is not JSON.
[[nodiscard]] Result<nlohmann::json> parse_response(std::string_view text);

// The member; null when it is absent.
[[nodiscard]] const nlohmann::json& member(const nlohmann::json& object, const char* name);

[[nodiscard]] std::string string_member(const nlohmann::json& object, const char* name);
[[nodiscard]] std::int64_t integer_member(const nlohmann::json& object, const char* name);
[[nodiscard]] bool bool_member(const nlohmann::json& object, const char* name);
[[nodiscard]] StringMap map_member(const nlohmann::json& object, const char* name);

// Each field is empty when the object does not have it.
template <typename T, std::size_t kSize>
void read_texts(const nlohmann::json& object, const TextFields<T, kSize>& fields, T& out) {
  for (const auto& [name, member] : fields) out.*member = string_member(object, name);
}

// The text for a merge patch: null, which removes the field, when it is empty.
[[nodiscard]] nlohmann::json text_or_null(const std::string& text);

// The value as a request's body. Messages can quote text that is not UTF-8: U+FFFD replaces each
// byte that is not.
[[nodiscard]] std::string to_body(const nlohmann::json& value);

}  // namespace lvmd::reconciler::kube
