// SPDX-License-Identifier: MIT
import CWeb
import SceneSystem

/// A connection of libwebsockets, valid until `LWS_CALLBACK_WSI_DESTROY`.
@safe struct WebPlace: Hashable {
  @safe let pointer: OpaquePointer

  static func == (a: WebPlace, b: WebPlace) -> Bool { a.pointer == b.pointer }

  func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

  /// The request without its body.
  var request: WebRequest {
    var request = WebRequest()
    let asked = scene_web_method(pointer)
    request.method =
      asked == Int32(LWSHUMETH_GET) ? .get : asked == Int32(LWSHUMETH_HEAD) ? .head : .other
    request.path = copied(scene_web_path_length(pointer)) {
      unsafe scene_web_path(pointer, $0, $1)
    }
    var number: Int32 = 0
    while let part = argument(number), number < 16 {
      let equal = part.firstIndex(of: "=") ?? part.endIndex
      request.arguments[String(part[..<equal])] = String(part[equal...].dropFirst())
      number += 1
    }
    request.host = text(WSI_TOKEN_HOST)
    request.origin = text(WSI_TOKEN_ORIGIN)
    request.range = text(WSI_TOKEN_HTTP_RANGE)
    request.takesGZIP = text(WSI_TOKEN_HTTP_ACCEPT_ENCODING)?.contains("gzip") == true
    request.site = text(named: "sec-fetch-site:")
    request.hasBody =
      (text(WSI_TOKEN_HTTP_CONTENT_LENGTH) ?? "0") != "0"
      || text(WSI_TOKEN_HTTP_TRANSFER_ENCODING) != nil
    return request
  }

  /// Returns the value of a header field; `nil` if it is missing. Repeated fields are joined.
  func text(_ token: lws_token_indexes) -> String? {
    let count = lws_hdr_total_length(pointer, token)
    guard count > 0 else { return nil }
    return copied(count) { unsafe lws_hdr_copy(pointer, $0, $1, token) }
  }

  /// Returns the query argument at an index; `nil` beyond the last one.
  private func argument(_ number: Int32) -> String? {
    let count = lws_hdr_fragment_length(pointer, WSI_TOKEN_HTTP_URI_ARGS, number)
    guard count > 0 else { return nil }
    return copied(count) {
      unsafe lws_hdr_copy_fragment(pointer, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, number)
    }
  }

  /// Returns the value of a header field without a token in libwebsockets; `nil` if it is missing.
  private func text(named name: String) -> String? {
    let length = Int32(name.utf8.count)
    let count = unsafe lws_hdr_custom_length(pointer, name, length)
    guard count >= 0 else { return nil }
    return copied(count) { unsafe lws_hdr_custom_copy(pointer, $0, $1, name, length) }
  }

  /// Returns the text that `copy` writes to a buffer. The buffer has extra room for commas between
  /// repeated values.
  @safe private func copied(
    _ count: Int32, _ copy: (UnsafeMutablePointer<CChar>?, Int32) -> Int32
  ) -> String {
    var bytes = [CChar](repeating: 0, count: Int(max(0, count)) + 33)
    let filled = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe copy($0.baseAddress, Int32($0.count))
    }
    return String(
      decoding: bytes.prefix(Int(max(0, filled))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Responses

  /// Sends the status and header of a response; returns whether it succeeded.
  func sendHead(_ response: WebResponse) -> Bool {
    let fields = response.fields.map { "\($0.name):\0\($0.value)\0" }.joined().utf8.map { $0 }
    return unsafe scene_web_head(
      pointer, response.status, fields, fields.count, Int64(response.body.count)) == 0
  }

  /// Sends bytes after the padding that libwebsockets requires; returns whether it succeeded.
  func write(_ bytes: [UInt8], _ kind: lws_write_protocol) -> Bool {
    let room = Int(scene_web_pre)
    var all = [UInt8](repeating: 0, count: room)
    all += bytes
    return unsafe all.withUnsafeMutableBufferPointer { all in
      // Safe: the buffer includes the padding.
      unsafe lws_write(pointer, all.baseAddress! + room, bytes.count, kind) >= bytes.count
    }
  }

  /// Requests a callback when the connection is writable.
  func askToWrite() { lws_callback_on_writable(pointer) }
}
