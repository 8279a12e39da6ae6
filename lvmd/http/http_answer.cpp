#include "lvmd/http/http_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvmd::http {
namespace {

std::string answer(std::string_view status, const Page& page, std::string_view more_headers = {}) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n{}",
      status, page.type, page.text.size(), more_headers, page.text);
}

std::string_view take_token(std::string_view& line) {
  const std::string_view token = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), token.size() + 1));
  return token;
}

}  // namespace

std::string internal_error_answer() {
  return answer("500 Internal Server Error", {.text = "the page cannot be created\n"});
}

std::string http_answer(std::string_view head, const Pages& pages) {
  std::string_view line = head.substr(0, head.find("\r\n"));
  const std::string_view method = take_token(line);
  const std::string_view target = take_token(line);
  if (!line.starts_with("HTTP/1.") || target.empty())
    return answer("400 Bad Request", {.text = "not an HTTP/1 request\n"});
  if (method != "GET" && method != "HEAD")
    return answer("405 Method Not Allowed", {.text = "only GET and HEAD are allowed\n"},
                  "Allow: GET, HEAD\r\n");
  const auto page = pages.find(target.substr(0, target.find('?')));
  if (page == pages.end()) return answer("404 Not Found", {.text = "page not found\n"});
  const Page made = page->second();
  std::string whole = answer(made.is_good ? "200 OK" : "503 Service Unavailable", made);
  if (method == "HEAD") whole.resize(whole.find("\r\n\r\n") + 4);
  return whole;
}

}  // namespace lvmd::http
