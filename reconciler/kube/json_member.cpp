#include "reconciler/kube/json_member.hpp"

#include <nlohmann/json.hpp>

namespace lvmd::reconciler::kube {

using nlohmann::json;

Result<json> parse_response(std::string_view text) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded())
    return fail(Code::kUnavailable, "the API server's response is not JSON");
  return value;
}

const json& member(const json& object, const char* name) {
  static const json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

std::string string_member(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

std::int64_t integer_member(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

bool bool_member(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_boolean() && value.get<bool>();
}

StringMap map_member(const json& object, const char* name) {
  StringMap map;
  const json& value = member(object, name);
  if (value.is_object())
    for (const auto& [key, text] : value.items())
      if (text.is_string()) map[key] = text.get<std::string>();
  return map;
}

json text_or_null(const std::string& text) { return text.empty() ? json{} : json(text); }

std::string to_body(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace lvmd::reconciler::kube
