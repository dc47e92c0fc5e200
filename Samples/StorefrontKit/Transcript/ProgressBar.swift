import DiscreteNetworking

/// Shows how far a transfer has come: a bar that is drawn over itself in a terminal, a note for each quarter
/// elsewhere.
@MainActor
final class ProgressBar: APIManagerProgressDelegate {
    private let console: Console
    private let note: (String) -> Void
    private let what: KeyPath<TransferProgress, Int64>
    private let total: Int64
    private var quarters: Int64
    /// Called with each step, before it is shown.
    var onStep: (Int64) -> Void = { _ in }

    /// - Parameters:
    ///   - what: which direction.
    ///   - total: bytes in all.
    ///   - start: bytes that are there already.
    init(_ tour: Tour, _ what: KeyPath<TransferProgress, Int64>, of total: Int64, from start: Int64 = 0) {
        console = tour.console
        note = tour.transcript.note
        self.what = what
        self.total = max(total, 1)
        quarters = start * 4 / self.total
    }

    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress) {
        let count = progress[keyPath: what]
        onStep(count)
        guard !console.isTerminal else { return console.overwrite("     " + Self.bar(count, of: total)) }
        let reached = count * 4 / total
        guard reached > quarters else { return }
        quarters = reached
        note(Self.bar(reached * total / 4, of: total))
    }

    /// Takes the bar away; what follows is written in its place.
    func end() { if console.isTerminal { console.overwrite("") } }

    static func bar(_ count: Int64, of total: Int64) -> String {
        let cells = Int(count * 20 / max(total, 1))
        let bar = String(repeating: "#", count: cells) + String(repeating: ".", count: 20 - cells)
        return "[\(bar)] \(count * 100 / max(total, 1)) %"
    }
}
