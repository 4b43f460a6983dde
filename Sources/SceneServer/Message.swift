// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON

/// What messages are made of (JSON-RPC 2.0, Language Server Protocol 3.17).
enum Message {
  /// Why a request has no result.
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

  static func fault(_ code: Code, _ text: String) -> JSON {
    ["code": .int(code.rawValue), "message": .string(text)]
  }

  /// The first of a client's encodings that there is; UTF-16 without a list.
  static func encoding(for parameters: JSON) -> PositionEncoding {
    let wanted = parameters["capabilities"]["general"]["positionEncodings"].array
    return wanted.lazy.compactMap { $0.string.flatMap(PositionEncoding.init) }.first ?? .utf16
  }
}

/// A request that cannot be answered.
struct RequestFault: Error {
  let code: Message.Code
  let text: String
}
