// Runs movers as transient systemd units over D-Bus, without blocking.
#pragma once

#include <systemd/sd-bus.h>

#include <list>
#include <string>

#include "lvmd/base/unique_c.hpp"
#include "lvmd/transfers/launcher/mover_launcher.hpp"

namespace lvmd::transfers {

// The connection is opened at the first use, and again after it was lost. An order that systemd
// does not answer within a minute fails with Unavailable.
class SystemdUnits final : public MoverLauncher {
 public:
  SystemdUnits() = default;
  SystemdUnits(const SystemdUnits&) = delete;
  SystemdUnits& operator=(const SystemdUnits&) = delete;
  ~SystemdUnits() override = default;

  void start(const MoverUnit& unit, UniqueFd job, Done done) override;
  void stop(const TransferKey& key, Done done) override;
  [[nodiscard]] std::optional<pollfd> polled() const override;
  [[nodiscard]] std::optional<Clock::time_point> next_due() const override;
  void process(Clock::time_point now) override;
  void reap() override {}

 private:
  using Bus = UniqueC<sd_bus, &sd_bus_close_unref>;
  using Message = UniqueC<sd_bus_message, &sd_bus_message_unref>;
  using Slot = UniqueC<sd_bus_slot, &sd_bus_slot_unref>;

  struct Order {
    SystemdUnits* owner;
    std::string unit_name;
    // Set for a start; absent for a stop.
    std::optional<MoverUnit> unit{};
    UniqueFd input{};
    Done done;
    Clock::time_point deadline;
    bool sent = false;
    // The systemd job of a start. Its result ends the order.
    std::string job{};
    Slot slot{};
  };

  static int on_reply(sd_bus_message* reply, void* order, sd_bus_error* error);
  static int on_job_removed(sd_bus_message* signal, void* self, sd_bus_error* error);

  void add(Order order);
  [[nodiscard]] Status open();
  [[nodiscard]] Result<Message> message_of(const Order& order) const;
  [[nodiscard]] Status send(Order& order);
  void take_reply(Order& order, sd_bus_message* reply);
  void finish(const Order& order, Status result);
  void lose(const Error& why);

  // Declared after the bus, so that the slots of orders are released first.
  Bus bus_;
  std::list<Order> orders_;
};

}  // namespace lvmd::transfers
