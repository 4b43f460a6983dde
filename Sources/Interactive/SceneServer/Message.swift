// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON

/// Elements of messages (JSON-RPC 2.0, Language Server Protocol 3.17).
enum Message {
  /// The error code of a failed request.
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case notInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
    case serverCancelled = -32802
  }

  static func failure(_ code: Code, _ text: String) -> JSON {
    ["code": .int(code.rawValue), "message": .string(text)]
  }

  /// Returns the client's first position encoding that is supported; UTF-16 if the client does not
  /// list any.
  static func encoding(for parameters: JSON) -> PositionEncoding {
    let wanted = parameters["capabilities"]["general"]["positionEncodings"].array
    return wanted.lazy.compactMap { $0.string.flatMap(PositionEncoding.init) }.first ?? .utf16
  }
}

/// The error of a failed request.
struct RequestError: Error {
  let code: Message.Code
  let text: String
}
