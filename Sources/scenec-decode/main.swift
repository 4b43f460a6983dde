// SPDX-License-Identifier: MIT
import SceneDecode

// Started by scenec with a socket as its standard input.
serve(0)
