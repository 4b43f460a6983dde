// SPDX-License-Identifier: MIT

// This target contains no code. It depends on all programs of scenec, so that one `swift build`
// command builds them.
