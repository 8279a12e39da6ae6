// Prometheus' text of metrics, to be compared line by line.
#pragma once

#include <prometheus/text_serializer.h>

#include <string>
#include <vector>

namespace lvmd::server {

inline std::string text_of(const std::vector<prometheus::MetricFamily>& families) {
  return prometheus::TextSerializer{}.Serialize(families);
}

inline bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace lvmd::server
