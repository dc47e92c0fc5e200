import DiscreteNetworkingJSON
import Foundation

/// The members of objects that a JSON text has twice: of two operations at one path and method, one would be lost in silence.
struct DuplicateKeys {
    /// An object, or an array without keys.
    private struct Container {
        var keys: Set<String>?
        /// The last key or index.
        var last = "0"
        var index = 0
    }

    /// The places of the members, as JSON pointers.
    private(set) var pointers: [[String]] = []
    private var containers: [Container] = []

    /// - Parameter data: A valid JSON text.
    init(in data: Data) { data.withUnsafeBytes { read($0) } }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        var isKey = false
        while index < bytes.count {
            let start = index
            index += 1
            switch bytes[start] {
            case UInt8(ascii: "{"):
                containers.append(Container(keys: []))
                isKey = true
            case UInt8(ascii: "["):
                containers.append(Container())
                isKey = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"): containers.removeLast()
            case UInt8(ascii: ":"): isKey = false
            case UInt8(ascii: ","): isKey = next()
            case UInt8(ascii: "\""):
                while bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index += 1
                if isKey { add(bytes[start..<index]) }
            default: break
            }
        }
    }

    /// Goes on to the next member or element.
    /// - Returns: Whether a key is next.
    private mutating func next() -> Bool {
        let top = containers.count - 1
        guard containers[top].keys == nil else { return true }
        containers[top].index += 1
        containers[top].last = String(containers[top].index)
        return false
    }

    private mutating func add(_ literal: Slice<UnsafeRawBufferPointer>) {
        let key = (try? JSONValue(parsing: Data(literal)))?.string ?? ""
        let top = containers.count - 1
        containers[top].last = key
        if containers[top].keys?.insert(key).inserted == false { pointers.append(containers.map(\.last)) }
    }
}
