// SPDX-License-Identifier: MIT
import SceneMedia

// Started by scenec with a socket as standard input.
serve(0)
