#include "lvmd/transfers/launcher/systemd_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::transfers {
namespace {

using std::chrono_literals::operator""s;

constexpr const char* kService = "org.freedesktop.systemd1";
constexpr const char* kPath = "/org/freedesktop/systemd1";
constexpr const char* kInterface = "org.freedesktop.systemd1.Manager";
// For hosts without a message bus, as in systemctl.
constexpr const char* kPrivateAddress = "unix:path=/run/systemd/private";

constexpr auto kTimeLimit = 60s;

Status answer_of(int result, std::string_view what) {
  if (result >= 0) return {};
  Error why = errno_error(-result, what);
  why.code = Code::kUnavailable;
  return std::unexpected(std::move(why));
}

// Writes a message. After the first error all calls do nothing.
class Writer {
 public:
  explicit Writer(sd_bus_message* message) : message_(message) {}

  template <typename... Args>
  void append(const char* types, Args... args) {
    if (result_ >= 0) result_ = sd_bus_message_append(message_, types, args...);
  }
  // Calls `write` for the contents of the container.
  template <typename Write>
  void contain(char kind, const char* contents, const Write& write) {
    if (result_ >= 0) result_ = sd_bus_message_open_container(message_, kind, contents);
    write();
    if (result_ >= 0) result_ = sd_bus_message_close_container(message_);
  }
  void append_strings(const std::vector<std::string>& strings) {
    contain('a', "s", [&] {
      for (const std::string& string : strings) append("s", string.c_str());
    });
  }
  [[nodiscard]] int result() const { return result_; }

 private:
  sd_bus_message* message_;
  int result_ = 0;
};

class PropertyWriter {
 public:
  PropertyWriter(Writer& writer, const std::string& name) : writer_(writer), name_(name) {}

  void operator()(bool value) const { simple("b", static_cast<int>(value)); }
  void operator()(std::int32_t value) const { simple("i", value); }
  // UMask is a 32-bit property.
  void operator()(std::uint64_t value) const {
    if (name_ == "UMask")
      simple("u", static_cast<std::uint32_t>(value));
    else
      simple("t", value);
  }
  void operator()(const std::string& value) const { simple("s", value.c_str()); }
  void operator()(const std::vector<std::string>& strings) const {
    property("as", [&] { writer_.append_strings(strings); });
  }
  void operator()(const UnitProperty::Filter& filter) const {
    property("(bas)", [&] {
      writer_.contain('r', "bas", [&] {
        writer_.append("b", static_cast<int>(filter.allows));
        writer_.append_strings(filter.values);
      });
    });
  }
  void operator()(const UnitProperty::Program& program) const {
    property("a(sasb)", [&] {
      writer_.contain('a', "(sasb)", [&] {
        writer_.contain('r', "sasb", [&] {
          writer_.append("s", program.path.c_str());
          writer_.append_strings(program.arguments);
          writer_.append("b", 0);
        });
      });
    });
  }
  void operator()(const UnitProperty::Pairs& pairs) const {
    property("a(ss)", [&] {
      writer_.contain('a', "(ss)", [&] {
        for (const auto& [first, second] : pairs)
          writer_.append("(ss)", first.c_str(), second.c_str());
      });
    });
  }
  void descriptor(int fd) const { simple("h", fd); }

 private:
  template <typename Write>
  void property(const char* type, const Write& write) const {
    writer_.contain('r', "sv", [&] {
      writer_.append("s", name_.c_str());
      writer_.contain('v', type, write);
    });
  }
  template <typename Value>
  void simple(const char* type, Value value) const {
    property(type, [&] { writer_.append(type, value); });
  }

  Writer& writer_;
  const std::string& name_;
};

Error mover_not_started(const std::string& unit, std::string_view why) {
  return make_error(Code::kUnavailable,
                    "the mover was not started: systemd reports for {}: {}; see `journalctl -u {}`",
                    unit, why, unit)
      .because(reason::kMoverNotStarted);
}

}  // namespace

void SystemdUnits::start(const MoverUnit& unit, UniqueFd job, Done done) {
  add({.owner = this,
       .unit_name = unit.name,
       .unit = unit,
       .input = std::move(job),
       .done = std::move(done),
       .deadline = Clock::now() + kTimeLimit});
}

void SystemdUnits::stop(const TransferKey& key, Done done) {
  add({.owner = this,
       .unit_name = mover_unit_name(key.operation, key.id),
       .done = std::move(done),
       .deadline = Clock::now() + kTimeLimit});
}

void SystemdUnits::add(Order order) {
  orders_.push_back(std::move(order));
  if (bus_ == nullptr)
    if (const auto opened = open(); !opened) return lose(opened.error());
  process(Clock::now());
}

Status SystemdUnits::open() {
  sd_bus* opened = nullptr;
  int result = sd_bus_open_system_with_description(&opened, "lvmd");
  Bus bus{opened};
  if (result < 0) {
    bus.reset();
    result = sd_bus_new(&opened);
    if (result >= 0) {
      bus.reset(opened);
      result = sd_bus_set_address(opened, kPrivateAddress);
    }
    if (result >= 0) result = sd_bus_start(opened);
  }
  if (result >= 0)
    result = sd_bus_match_signal_async(bus.get(), nullptr, kService, kPath, kInterface,
                                       "JobRemoved", &on_job_removed, nullptr, this);
  // Without it systemd sends no signals over the message bus. An error of this call shows as
  // missing signals.
  if (result >= 0)
    result = sd_bus_call_method_async(
        bus.get(), nullptr, kService, kPath, kInterface, "Subscribe",
        [](sd_bus_message*, void*, sd_bus_error*) { return 0; }, nullptr, "");
  if (auto done = answer_of(result, "talk to systemd over D-Bus"); !done) return done;
  bus_ = std::move(bus);
  return {};
}

std::optional<pollfd> SystemdUnits::polled() const {
  if (bus_ == nullptr) return std::nullopt;
  const int events = sd_bus_get_events(bus_.get());
  return pollfd{.fd = sd_bus_get_fd(bus_.get()),
                .events = static_cast<short>(std::max(events, 0)),
                .revents = 0};
}

std::optional<MoverLauncher::Clock::time_point> SystemdUnits::next_due() const {
  std::optional<Clock::time_point> next;
  for (const Order& order : orders_)
    if (!next || order.deadline < *next) next = order.deadline;
  if (bus_ == nullptr) return next;
  // The time is of CLOCK_MONOTONIC, as steady_clock.
  std::uint64_t microseconds = 0;
  if (sd_bus_get_timeout(bus_.get(), &microseconds) < 0 || microseconds == UINT64_MAX) return next;
  const Clock::time_point due{std::chrono::microseconds{microseconds}};
  return next ? std::min(*next, due) : due;
}

void SystemdUnits::process(Clock::time_point now) {
  if (bus_ == nullptr) return;
  int result = 0;
  while ((result = sd_bus_process(bus_.get(), nullptr)) > 0) continue;
  if (result < 0) return lose(answer_of(result, "talk to systemd over D-Bus").error());
  // Descriptors can be sent only after the peer has agreed to it.
  const bool ready = sd_bus_is_ready(bus_.get()) > 0;
  for (auto it = orders_.begin(); it != orders_.end();) {
    Order& order = *it++;
    if (now >= order.deadline)
      finish(order,
             fail(Code::kUnavailable, "systemd has not answered the request for {} within {} s",
                  order.unit_name, kTimeLimit.count())
                 .because(reason::kMoverNotStarted));
    else if (ready && !order.sent)
      if (auto sent = send(order); !sent) finish(order, sent);
  }
}

Result<SystemdUnits::Message> SystemdUnits::message_of(const Order& order) const {
  sd_bus_message* made = nullptr;
  const int result = sd_bus_message_new_method_call(bus_.get(), &made, kService, kPath, kInterface,
                                                    order.unit ? "StartTransientUnit" : "StopUnit");
  Message message{made};
  if (auto done = answer_of(result, "write to systemd"); !done)
    return std::unexpected(done.error());
  Writer writer{made};
  writer.append("ss", order.unit_name.c_str(), order.unit ? "fail" : "replace");
  if (order.unit) {
    writer.contain('a', "(sv)", [&] {
      for (const UnitProperty& property : mover_properties(*order.unit))
        std::visit(PropertyWriter{writer, property.name}, property.value);
      const std::string input = "StandardInputFileDescriptor";
      PropertyWriter{writer, input}.descriptor(order.input.get());
    });
    writer.append("a(sa(sv))", 0);
  }
  if (auto done = answer_of(writer.result(), "write to systemd"); !done)
    return std::unexpected(done.error());
  return message;
}

Status SystemdUnits::send(Order& order) {
  const auto message = message_of(order);
  if (!message) return std::unexpected(message.error());
  sd_bus_slot* slot = nullptr;
  const int result =
      sd_bus_call_async(bus_.get(), &slot, message->get(), &on_reply, &order,
                        static_cast<std::uint64_t>(std::chrono::microseconds{kTimeLimit}.count()));
  order.slot.reset(slot);
  order.sent = result >= 0;
  order.input.reset();
  return answer_of(result, "send to systemd");
}

int SystemdUnits::on_reply(sd_bus_message* reply, void* order, sd_bus_error* /*error*/) {
  auto& answered = *static_cast<Order*>(order);
  answered.owner->take_reply(answered, reply);
  return 0;
}

void SystemdUnits::take_reply(Order& order, sd_bus_message* reply) {
  if (const sd_bus_error* const error = sd_bus_message_get_error(reply); error != nullptr) {
    const std::string_view name = error->name == nullptr ? "" : error->name;
    const std::string_view text = error->message == nullptr ? name : error->message;
    // The mover has ended already.
    if (!order.unit && name == "org.freedesktop.systemd1.NoSuchUnit") return finish(order, {});
    return finish(order, std::unexpected(mover_not_started(order.unit_name, text)));
  }
  if (!order.unit) return finish(order, {});
  const char* job = nullptr;
  if (sd_bus_message_read(reply, "o", &job) < 0)
    return finish(order, std::unexpected(mover_not_started(order.unit_name,
                                                           "an answer without "
                                                           "a job")));
  order.job = job;
}

int SystemdUnits::on_job_removed(sd_bus_message* signal, void* self, sd_bus_error* /*error*/) {
  std::uint32_t id = 0;
  const char* job = nullptr;
  const char* unit = nullptr;
  const char* result = nullptr;
  if (sd_bus_message_read(signal, "uoss", &id, &job, &unit, &result) < 0) return 0;
  auto& units = *static_cast<SystemdUnits*>(self);
  const auto found = std::ranges::find_if(
      units.orders_, [job](const Order& order) { return !order.job.empty() && order.job == job; });
  if (found == units.orders_.end()) return 0;
  units.finish(*found, std::string_view{result} == "done"
                           ? Status{}
                           : std::unexpected(mover_not_started(
                                 found->unit_name, fmt::format("its job ended with {}", result))));
  return 0;
}

void SystemdUnits::finish(const Order& order, Status result) {
  const Done done = order.done;
  orders_.remove_if([&order](const Order& other) { return &other == &order; });
  done(std::move(result));
}

void SystemdUnits::lose(const Error& why) {
  log::warning(why.message);
  const auto lost = std::exchange(orders_, {});
  for (const Order& order : lost)
    order.done(std::unexpected(Error{why}.because(reason::kMoverNotStarted)));
  // The bus is closed after the slots of its orders.
  const Bus gone = std::exchange(bus_, nullptr);
}

}  // namespace lvmd::transfers
