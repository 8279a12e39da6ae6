#include "lvmd/ipc/wipe.hpp"

#include <string.h>

namespace lvmd::ipc {

void wipe(std::string& text) {
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

void wipe(v1::Credentials& credentials) {
  for (std::string* const secret :
       {credentials.mutable_password(), credentials.mutable_access_key_id(),
        credentials.mutable_secret_access_key(), credentials.mutable_session_token(),
        credentials.mutable_rest_user(), credentials.mutable_rest_password()})
    wipe(*secret);
}

}  // namespace lvmd::ipc
