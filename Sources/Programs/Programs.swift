// SPDX-License-Identifier: MIT

// This target has no code. It depends on the programs of scenec, so that one call of `swift build` makes all of
// them.
