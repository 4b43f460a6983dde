// SPDX-License-Identifier: MIT
import SceneClipWorker

// Started by scenec with a socket as standard input.
serve(0)
