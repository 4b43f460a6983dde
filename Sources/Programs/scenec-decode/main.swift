// SPDX-License-Identifier: MIT
import SceneDecode

// Started by scenec with a socket as standard input.
serve(0)
