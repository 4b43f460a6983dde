// SPDX-License-Identifier: MIT

/// The version of scenec. Packages, the extension for VS Code and release notes take it from
/// `scenec --version`.
package let version = "0.2.0"
