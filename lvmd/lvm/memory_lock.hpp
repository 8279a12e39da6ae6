// Keeps the memory of the process locked from one LVM command to the next.
#pragma once

namespace lvmd::lvm {

// Before LVM suspends a device, it locks the memory of the process, because a page that has to be
// read from a suspended device never arrives. At the end of the command it unlocks the memory. Both
// take some percent of a change (docs/adr/0035). A program that links this file overrides mlock(2)
// and munlock(2). After this call, the mappings that LVM locks first, and all other memory as soon
// as it is used, stay locked until unlock_memory(); LVM's later locks and unlocks do nothing. If
// the kernel refuses, LVM locks as without this call, also later.
//
// One thread. Call it before the first LVM command.
void keep_memory_locked();

// Call it when no command is expected soon, and never during a command. Does nothing if the memory
// is not locked.
void unlock_memory();

}  // namespace lvmd::lvm
