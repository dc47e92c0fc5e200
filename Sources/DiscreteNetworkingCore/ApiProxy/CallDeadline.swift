import Foundation

/// When a call has to end, and which limit says so.
struct CallDeadline: Sendable {
    /// By the clock of the proxy, in seconds.
    let end: TimeInterval
    /// The limit, in seconds.
    let seconds: TimeInterval
    /// Who has set it, for texts.
    let owner: String

    /// Returns the limit of a call that is over first; `nil` if there is none.
    /// - Parameters:
    ///   - start: When the call started, in seconds.
    ///   - clock: The owner of the clock.
    init?(of call: APICall, _ plan: CallPlan, startedAt start: TimeInterval, by clock: AnyObject) {
        var limits: [CallDeadline] = []
        if let seconds = call.overrides.deadline {
            limits.append(CallDeadline(start, seconds, "\(call.managerType).deadline"))
        } else if let seconds = plan.configuration.deadline {
            let owner = "the deadline of the service \(call.serviceIdentifier)"
            limits.append(CallDeadline(start, seconds, owner))
        }
        var scope = call.overrides.deadlineScope
        while let here = scope {
            let start = here.start(by: clock, orAt: start)
            limits.append(CallDeadline(start, here.seconds, "APICall.withDeadline"))
            scope = here.outer
        }
        // One that makes no sense is reported, and hidden by no other.
        guard let first = limits.first(where: { !$0.isValid }) ?? limits.min(by: { $0.end < $1.end }) else {
            return nil
        }
        self = first
    }

    private init(_ start: TimeInterval, _ seconds: TimeInterval, _ owner: String) {
        (end, self.seconds, self.owner) = (start + seconds, seconds, owner)
    }

    /// Whether it is greater than 0; NaN is not.
    var isValid: Bool { seconds > 0 }
}
