#include "lvmd/transfers/mover/redact.hpp"

#include <algorithm>
#include <cstddef>

#include "lvmd/base/utf8.hpp"
#include "lvmd/transfers/mover/credentials.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr std::size_t kMaxText = 1000;
constexpr std::string_view kRedacted = "***";

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = character_size(text);
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
