#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "lvmd/ipc/wipe.hpp"

using namespace lvmd;

TEST_CASE("a wiped text leaves no bytes in memory [P-XFER-5]", "[channel]") {
  std::string text(100, 'x');
  const char* const bytes = text.data();
  ipc::wipe(text);
  CHECK(text.empty());
  // The string still owns its memory.
  CHECK(std::all_of(bytes, bytes + 100, [](char c) { return c == '\0'; }));
}

TEST_CASE("every credential is wiped [P-XFER-5]", "[channel]") {
  v1::Credentials credentials;
  const auto* const descriptor = v1::Credentials::descriptor();
  const auto* const reflection = v1::Credentials::GetReflection();
  for (int i = 0; i < descriptor->field_count(); ++i)
    reflection->SetString(&credentials, descriptor->field(i), "secret");
  ipc::wipe(credentials);
  CHECK(credentials.SerializeAsString().empty());
}
