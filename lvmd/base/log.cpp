#include "lvmd/base/log.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/base/utf8.hpp"

namespace lvmd::log {
namespace {

constexpr std::string_view kJournalSocket = "/run/systemd/journal/socket";

struct Sink {
  std::mutex mutex;
  std::string identifier = "lvmd";
  Priority threshold = Priority::kInfo;
  UniqueFd journal;
};

Sink& sink() {
  static Sink instance;
  return instance;
}

// systemd sets JOURNAL_STREAM to the device and inode of the stream that it passes as stderr. If
// stderr is another file, such as a shell's redirection, entries must go there.
bool stderr_is_journal() {
  const char* const stream = std::getenv("JOURNAL_STREAM");  // NOLINT(concurrency-mt-unsafe)
  if (stream == nullptr) return false;
  struct stat status{};
  if (fstat(STDERR_FILENO, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

UniqueFd connect_journal() {
  UniqueFd fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, kJournalSocket.data(), kJournalSocket.size());
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return {};
  return fd;
}

// `text`, or its first `limit` bytes and its length. Does not split a UTF-8 character.
std::string cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string{text};
  return fmt::format("{}… ({} bytes)", whole_characters(text, limit), text.size());
}

// The journal's native protocol: "KEY=value\n", or "KEY\n<64-bit little-endian length>value\n" if
// the value contains a newline (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
void append_field(std::string& datagram, std::string_view key, std::string_view value) {
  datagram += key;
  if (value.find('\n') == std::string_view::npos) {
    datagram += '=';
  } else {
    datagram += '\n';
    const auto size = static_cast<std::uint64_t>(value.size());
    for (unsigned shift = 0; shift < 64; shift += 8)
      datagram += static_cast<char>((size >> shift) & 0xffU);
  }
  datagram += value;
  datagram += '\n';
}

bool send_to_journal(const Sink& target, Priority priority, std::string_view message,
                     Fields fields) {
  if (!target.journal) return false;
  std::string datagram;
  append_field(datagram, "MESSAGE", cut(message, kLongestMessage));
  append_field(datagram, "PRIORITY", fmt::format("{}", static_cast<int>(priority)));
  append_field(datagram, "SYSLOG_IDENTIFIER", target.identifier);
  for (const Field& field : fields)
    append_field(datagram, field.key, cut(field.value, kLongestValue));
  return ::send(target.journal.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL) >= 0;
}

// Escapes control characters: a newline in a caller's value must not forge an entry.
void append_printable(std::string& line, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += c;
  }
}

void write_to_stderr(const Sink& target, Priority priority, std::string_view message,
                     Fields fields) {
  std::string line;
  if (!::isatty(STDERR_FILENO)) line = fmt::format("<{}>", static_cast<int>(priority));
  line += target.identifier + ": ";
  append_printable(line, cut(message, kLongestMessage));
  for (const Field& field : fields) {
    line += fmt::format(" {}=", field.key);
    append_printable(line, cut(field.value, kLongestValue));
  }
  line += '\n';
  // A failed write is ignored: there is no other place to report it.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

void init(std::string_view identifier, Priority threshold) {
  Sink& target = sink();
  const std::lock_guard lock{target.mutex};
  target.identifier = identifier;
  target.threshold = threshold;
  if (stderr_is_journal()) target.journal = connect_journal();
}

bool drops(Priority priority) {
  Sink& target = sink();
  const std::lock_guard lock{target.mutex};
  return priority > target.threshold;
}

void write(Priority priority, std::string_view message, Fields fields) {
  Sink& target = sink();
  const std::lock_guard lock{target.mutex};
  if (priority > target.threshold) return;
  if (!send_to_journal(target, priority, message, fields))
    write_to_stderr(target, priority, message, fields);
}

}  // namespace lvmd::log
