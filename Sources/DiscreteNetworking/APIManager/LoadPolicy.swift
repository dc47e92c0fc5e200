import Foundation

/// What happens to a call made while the manager already loads.
public enum LoadPolicy: Sendable, Hashable {
    /// Both go out.
    case concurrent
    /// No second one: it gets the number and the answer of the one in flight.
    case ignoreNew
    /// The ones in flight are cancelled first.
    case cancelPrevious
    /// The ones in flight are cancelled first, and it waits for so many seconds before it goes out: for a search
    /// field, where the next letter may come soon.
    case debounce(TimeInterval)
}
