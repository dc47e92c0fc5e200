public import Foundation

/// Content codings (RFC 9110 section 8.4) as a hostile server uses them.
extension LoopbackResponse {
    /// Returns a response with a body that is nested in layers of `deflate`. Each layer adds five bytes.
    ///
    /// - Precondition: The body and the layers have less than 64 KB.
    public static func nested(_ data: Data, layers: Int) -> LoopbackResponse {
        // Each layer is one stored block (RFC 1951 section 3.2.4) around all that follows.
        let headSize = 5
        var body = Data()
        for layer in (0..<layers).reversed() {
            let length = UInt16(data.count + layer * headSize)
            body.append(1)
            for part in [length, ~length] { body += [UInt8(part & 0xFF), UInt8(part >> 8)] }
        }
        let names = Array(repeating: "deflate", count: layers).joined(separator: ",")
        return LoopbackResponse(headers: [("Content-Encoding", names)], body: .data(body + data))
    }

    /// Returns a response of empty gzip members (RFC 1952 section 2.2): each takes 20 bytes to decode and
    /// produces none.
    public static func emptyMembers(_ count: Int) -> LoopbackResponse {
        let member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var body = Data(capacity: count * member.count)
        for _ in 0..<count { body.append(contentsOf: member) }
        return LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .data(body))
    }
}
