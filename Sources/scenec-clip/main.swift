// SPDX-License-Identifier: MIT
import SceneMedia

// Started by scenec with a socket as its standard input.
serve(0)
