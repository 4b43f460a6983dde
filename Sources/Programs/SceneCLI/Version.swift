// SPDX-License-Identifier: MIT

/// The version of scenec. Packages and releases take it from `scenec --version`, and the extension
/// for VS Code from this file. A release requires a section of this version in the changelog.
package let version = "0.2.0"
