// Keeps the context of LVM's asynchronous I/O from one LVM command to the next.
#pragma once

namespace lvmd::lvm {

// Each LVM command makes a context, io_setup(2), and destroys it at its end. In io_destroy(2) the
// kernel waits for a grace period of RCU, 20 to 40 ms. A program that links this file overrides
// libaio's two functions: after this call, the first context stays until the process ends.
//
// LVM has received all results when it destroys a context. Call it before the first LVM command.
void keep_aio_context();

}  // namespace lvmd::lvm
