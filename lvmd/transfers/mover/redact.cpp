#include "lvmd/transfers/mover/redact.hpp"

#include <algorithm>
#include <cstddef>

#include "lvmd/transfers/mover/credentials.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr std::size_t kMaxText = 1000;
constexpr std::string_view kRedacted = "***";

// Returns the length of the UTF-8 character at the beginning, or 0 when it is not valid. Overlong
// forms and surrogates are not valid, because protobuf rejects them.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto follows = [&](std::size_t at) {
    return at < text.size() && (byte(at) & 0xC0U) == 0x80U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (line.size() + std::max<std::size_t>(length, 1) > kMaxText) break;
    const char c = text.front();
    if (length == 0) {
      line += '?';
    } else if (length == 1 && (c < ' ' || c == '\x7f')) {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else {
      line += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace

Redactor::Redactor(const v1::Credentials& credentials) {
  for (const std::string* secret :
       {&credentials.password(), &credentials.access_key_id(), &credentials.secret_access_key(),
        &credentials.session_token(), &credentials.rest_user(), &credentials.rest_password()}) {
    add(*secret);
    add(percent_encoded(*secret));
  }
  std::ranges::sort(secrets_, [](const std::string& left, const std::string& right) {
    return left.size() > right.size();
  });
}

void Redactor::add(std::string_view secret) {
  if (!secret.empty()) secrets_.emplace_back(secret);
}

std::string Redactor::operator()(std::string_view text) const {
  std::string clean{text};
  for (const std::string& secret : secrets_)
    for (std::size_t at = 0; (at = clean.find(secret, at)) != std::string::npos;
         at += kRedacted.size())
      clean.replace(at, secret.size(), kRedacted);
  return one_line(clean);
}

}  // namespace lvmd::transfers::mover
