/// An output that is not made of a response in memory: a file or a stream. The type brings what receives it.
package protocol TransferredOutput: Decodable, Sendable {
    /// Whether the call ends with the head of its response.
    static var isStream: Bool { get }
    /// The destination where the manager has none; `nil` for a stream.
    static var standardDownload: Download? { get }
    /// The step that receives it.
    static var machinery: any PolicyMachinery { get }
}
