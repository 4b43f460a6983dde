// SPDX-License-Identifier: MIT
import SceneImageWorker

// Started by scenec with a socket as standard input.
serve(0)
