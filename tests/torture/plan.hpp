// What the client is to do: a file of JSON lines, made by plan.py.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lvmd::torture {

struct Operation {
  int lane = 0;
  int number = 0;
  // create, snapshot, resize, remove, list, write or read.
  std::string verb;
  std::string device_class;
  std::string name;
  std::string source;
  std::string access;
  std::int64_t size = 0;
  std::vector<std::string> tags;
  // So many connections make the same request at the same time.
  int callers = 1;
  int deadline_ms = 0;
  // Of write and read.
  std::string device;
  std::string birth;
  std::int64_t sequence = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// By lane, in the order in which each lane does them. Throws nlohmann's exceptions.
std::map<int, std::vector<Operation>> read_plan(const std::string& path);

}  // namespace lvmd::torture
