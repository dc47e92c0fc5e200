import DiscreteNetworkingSupport
import Foundation

/// Chooses the alternative of a union that a value is, so that nothing of the value is lost.
///
/// ```swift
/// struct Card: Codable { let number: String }
/// struct Transfer: Codable { let iban: String }
///
/// enum Payment: Codable {
///     case card(Card)
///     case transfer(Transfer)
///     case other(JSONValue)
///
///     init(from decoder: any Decoder) throws {
///         var alternatives = try Alternatives<Self>(of: decoder)
///         alternatives.add(Self.card)
///         alternatives.add(Self.transfer)
///         self = try alternatives.chosen(or: Self.other)
///     }
///
///     func encode(to encoder: any Encoder) throws {
///         switch self {
///         case .card(let card): try card.encode(to: encoder)
///         case .transfer(let transfer): try transfer.encode(to: encoder)
///         case .other(let json): try json.encode(to: encoder)
///         }
///     }
/// }
/// ```
///
/// An alternative fits if it decodes, and encodes the members that the value has and no others: a required member that may be
/// `null` has to be there. The first that keeps all members is chosen, otherwise the one that loses the fewest. While an
/// alternative is tried, a union inside of it is of no known alternative only if nothing else fits. A value is encoded once for
/// each union around it.
public struct Alternatives<Union: Sendable> {
    private let decoder: any Decoder
    private let container: any SingleValueDecodingContainer
    private var best: (union: Union, lost: Int, hasOther: Bool)?
    private var isFound: Bool { known != nil || best.map { $0.lost == 0 && !$0.hasOther } ?? false }
    private var json: JSONValue?
    private let choices: Choices
    /// What was chosen when another alternative around it was tried.
    private var known: (union: Union, other: Choices.Other)?

    /// Begins to choose.
    /// - Throws: If the alternatives of the union lead to the union itself, for the same value.
    public init(of decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.singleValueContainer()
        var trial = Trial.current
        while let outer = trial {
            if outer.union == ObjectIdentifier(Union.self), outer.depth == decoder.codingPath.count {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "The alternatives lead to the union itself.")
            }
            trial = outer.outer
        }
        guard let outer = Trial.current else {
            choices = Choices()
            return
        }
        choices = outer.choices
        if let json = value() { known = choices.choice(for: json) }
    }

    /// Tries an alternative, unless one before it keeps the whole value.
    /// - Parameter make: Makes the union of the alternative's value.
    public mutating func add<Value: Codable>(_ make: (Value) -> Union) {
        guard !isFound else { return }
        let trial = Trial(Union.self, depth: decoder.codingPath.count, choices)
        let decoded = Trial.$current.withValue(trial) { try? container.decode(Value.self) }
        // A union that is of none of its alternatives would take what another one here fits.
        guard let decoded, !trial.others.contains(trial.depth) else { return }
        guard !(Value.self is any ScalarAlternative.Type), let value = value(),
            let copy = try? JSONValue(parsing: JSONValue.makeEncoder().encode(decoded))
        else {
            best = (make(decoded), 0, false)
            return
        }
        let loss = MemberLoss(of: value, in: copy)
        let hasOther = !trial.others.isEmpty
        guard loss.fits, !hasOther || loss.lost == 0 else { return }
        if let best, (best.lost, best.hasOther ? 1 : 0) <= (loss.lost, hasOther ? 1 : 0) { return }
        best = (make(decoded), loss.lost, hasOther)
    }

    /// The whole value, once it is needed.
    private mutating func value() -> JSONValue? {
        if json == nil { json = try? container.decode(JSONValue.self) }
        return json
    }

    /// Returns the alternative that fits best.
    /// - Parameter other: Makes the union of a value that no alternative fits.
    public func chosen(or other: (JSONValue) -> Union) throws -> Union {
        let choice = try known ?? choice(or: other)
        guard let trial = Trial.current else { return choice.union }
        switch choice.other {
        case .none: break
        case .itself: trial.noteOther(at: decoder.codingPath.count)
        case .inside: trial.noteOther(at: -1)
        }
        if known == nil, let json { choices.note(choice, for: json) }
        return choice.union
    }

    private func choice(or other: (JSONValue) -> Union) throws -> (union: Union, other: Choices.Other) {
        if let best { return (best.union, best.hasOther ? .inside : .none) }
        return (other(try json ?? container.decode(JSONValue.self)), .itself)
    }
}

extension Decoder {
    /// Returns the value of a union that is of no known alternative.
    ///
    /// While ``Alternatives`` of a union around it are tried, the one that leads here is the last choice.
    public func otherAlternative() throws -> JSONValue {
        Trial.current?.noteOther(at: codingPath.count)
        return try JSONValue(from: self)
    }
}

/// What was chosen for the unions within another one. Each alternative around a union decodes it again: without this, the time
/// would double with each level.
private final class Choices: Sendable {
    /// Which union is of no known alternative.
    enum Other { case none, itself, inside }

    private struct Key: Hashable {
        let json: JSONValue
        let union: ObjectIdentifier
    }

    private let all = Locked<[Key: (union: any Sendable, other: Other)]>([:])

    /// What was chosen for a value; `nil` if nothing was.
    func choice<Union: Sendable>(for json: JSONValue) -> (union: Union, other: Other)? {
        guard let found = all.withLock({ $0[Key(json: json, union: ObjectIdentifier(Union.self))] }),
            let union = found.union as? Union
        else { return nil }
        return (union, found.other)
    }

    func note<Union: Sendable>(_ choice: (union: Union, other: Other), for json: JSONValue) {
        all.withLock { $0[Key(json: json, union: ObjectIdentifier(Union.self))] = choice }
    }
}

/// An alternative that is tried.
private final class Trial: Sendable {
    @TaskLocal static var current: Trial?

    let union: ObjectIdentifier
    let depth: Int
    let choices: Choices
    let outer = Trial.current
    /// The depths of the unions in it that are of no known alternative.
    private let depths = Locked<Set<Int>>([])

    init(_ union: Any.Type, depth: Int, _ choices: Choices) {
        self.union = ObjectIdentifier(union)
        self.depth = depth
        self.choices = choices
    }

    var others: Set<Int> { depths.current }

    /// Notes that a union at a depth is of no known alternative.
    func noteOther(at depth: Int) { depths.withLock { _ = $0.insert(depth) } }
}

/// What a value that was decoded and encoded again has less than before.
package struct MemberLoss {
    /// The number of members and elements that are lost.
    package private(set) var lost = 0
    private var kept = 0
    private var invented = 0

    package init(of value: JSONValue, in copy: JSONValue) {
        compare(value, copy)
        // An empty value has nothing to keep.
        if value.object?.isEmpty ?? true { kept += 1 }
    }

    /// Whether something is kept, and nothing is in the copy only.
    package var fits: Bool { invented == 0 && (lost == 0 || kept > 0) }

    private mutating func compare(_ value: JSONValue, _ copy: JSONValue) {
        switch (value, copy) {
        case (.object(let members), .object(let copies)):
            for (name, member) in members {
                if let copy = copies[name] {
                    kept += 1
                    compare(member, copy)
                } else if !member.isNull {
                    lost += 1
                }
            }
            invented += copies.keys.count { members[$0] == nil }
        case (.array(let elements), .array(let copies)):
            lost += max(elements.count - copies.count, 0)
            for (element, copy) in zip(elements, copies) { compare(element, copy) }
        case (.object, _), (.array, _): lost += 1
        default: break
        }
    }
}

/// A type without members, which loses nothing.
private protocol ScalarAlternative {}

extension Bool: ScalarAlternative {}
extension Int: ScalarAlternative {}
extension Int64: ScalarAlternative {}
extension UInt64: ScalarAlternative {}
extension Double: ScalarAlternative {}
extension Decimal: ScalarAlternative {}
extension String: ScalarAlternative {}
extension Date: ScalarAlternative {}
extension UUID: ScalarAlternative {}
extension Data: ScalarAlternative {}
extension FullDate: ScalarAlternative {}
