// SPDX-License-Identifier: MIT
#pragma once
#include <nettle/sha2.h>

static inline void scene_sha256(const uint8_t *content, size_t count, uint8_t *digest) {
  struct sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, count, content);
  sha256_digest(&state, SHA256_DIGEST_SIZE, digest);
}
