#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "lvmd/transfers/mover/credentials.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

namespace {

v1::Credentials credentials_of_all_stores() {
  v1::Credentials credentials;
  credentials.set_password("sesame");
  credentials.set_rest_user("node 1");
  credentials.set_rest_password("p@ss/word");
  credentials.set_access_key_id("AKIA");
  credentials.set_secret_access_key("s3cr#t");
  return credentials;
}

std::string text_in(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("only the URL of a REST server contains user and password, percent-encoded", "[mover]") {
  CHECK(percent_encoded("aZ09-._~ @/:%\xC3") == "aZ09-._~%20%40%2F%3A%25%C3");
  CHECK(repository_url("rest:https://host:8000/x/", credentials_of_all_stores()) ==
        "rest:https://node%201:p%40ss%2Fword@host:8000/x/");
  CHECK(repository_url("s3:https://host/bucket", credentials_of_all_stores()) ==
        "s3:https://host/bucket");
  CHECK(repository_url("/repository", credentials_of_all_stores()) == "/repository");
  CHECK(repository_url("rest:https://host/", v1::Credentials{}) == "rest:https://host/");
}

TEST_CASE("the keys of S3 become an AWS credentials file", "[mover]") {
  v1::Credentials credentials = credentials_of_all_stores();
  CHECK(aws_credentials_file(credentials) ==
        "[default]\naws_access_key_id = `AKIA`\naws_secret_access_key = `s3cr#t`\n");
  credentials.set_session_token("token");
  CHECK(aws_credentials_file(credentials).ends_with("aws_session_token = `token`\n"));
  CHECK(aws_credentials_file(v1::Credentials{}).empty());
}

TEST_CASE("secrets are in anonymous files, and each open reads from the start [P-XFER-5]",
          "[mover]") {
  v1::Repository repository;
  repository.set_ca_certificates("-----BEGIN CERTIFICATE-----");
  const auto files =
      SecretFiles::make("rest:https://host/", repository, credentials_of_all_stores());
  REQUIRE(files);
  for (int time = 0; time < 2; ++time) {
    CHECK(text_in(files->password_file()) == "sesame");
    CHECK(text_in(files->repository_file()) == "rest:https://node%201:p%40ss%2Fword@host/");
    CHECK(text_in(files->certificate_file().value()) == "-----BEGIN CERTIFICATE-----");
  }
  REQUIRE(files->descriptors().size() == 4);
  for (const int fd : files->descriptors()) {
    // The files cannot be changed, and programs do not inherit them by default.
    CHECK(::write(fd, "x", 1) == -1);
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
}

TEST_CASE("there is no file for a secret that the repository does not need", "[mover]") {
  v1::Credentials credentials;
  credentials.set_password("sesame");
  const auto files = SecretFiles::make("/repository", v1::Repository{}, credentials);
  REQUIRE(files);
  CHECK_FALSE(files->aws_file());
  CHECK_FALSE(files->certificate_file());
  CHECK(files->descriptors().size() == 2);
  CHECK_FALSE(SecretFiles::make("/repository", v1::Repository{}, v1::Credentials{}));
}
