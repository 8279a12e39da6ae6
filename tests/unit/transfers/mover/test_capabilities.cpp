#include <linux/capability.h>

#include <catch2/catch.hpp>

#include "lvmd/transfers/mover/capabilities.hpp"

using namespace lvmd;
using lvmd::transfers::mover::capabilities_for;

TEST_CASE("restic gets only the capabilities that its operation needs [P-XFER-4]", "[mover]") {
  CHECK(capabilities_for(v1::OPERATION_BACKUP) == 1U << CAP_DAC_READ_SEARCH);
  CHECK(capabilities_for(v1::OPERATION_RESTORE) ==
        (1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER |
         1U << CAP_FSETID | 1U << CAP_MKNOD | 1U << CAP_SETFCAP));
  CHECK(capabilities_for(v1::OPERATION_DELETE) == 0);
  CHECK(capabilities_for(v1::OPERATION_CHECK) == 0);
}
