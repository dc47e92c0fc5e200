import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Unions as `generate-managers` writes them, with both decoders.
final class AlternativesTests: XCTestCase {
    private struct Average: Codable, Equatable {
        var value: Double?
        var meta: [String: Int]?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            value = try container.decodeIfPresent(Double.self, forKey: .value)
            meta = try container.decodeIfPresent([String: Int].self, forKey: .meta)
        }

        enum CodingKeys: CodingKey { case value, meta }

        // The value is required, and may be null.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .value)
            try container.encodeIfPresent(meta, forKey: .meta)
        }
    }

    private struct Terms: Codable, Equatable { var buckets: [Int]? }

    private struct Query: Codable, Equatable { var nearest: Vector }

    private enum PointID: Codable, Equatable {
        case number(Int)
        case uuid(UUID)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            var alternatives = try Alternatives<Self>(of: decoder)
            alternatives.add(Self.number)
            alternatives.add(Self.uuid)
            self = try alternatives.chosen(or: Self.other)
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .number(let value): try value.encode(to: encoder)
            case .uuid(let value): try value.encode(to: encoder)
            case .other(let value): try value.encode(to: encoder)
            }
        }
    }

    private enum Vector: Codable, Equatable {
        case id(PointID)
        case ids([PointID])
        case dense([Double])
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            var alternatives = try Alternatives<Self>(of: decoder)
            alternatives.add(Self.id)
            alternatives.add(Self.ids)
            alternatives.add(Self.dense)
            self = try alternatives.chosen(or: Self.other)
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .id(let value): try value.encode(to: encoder)
            case .ids(let value): try value.encode(to: encoder)
            case .dense(let value): try value.encode(to: encoder)
            case .other(let value): try value.encode(to: encoder)
            }
        }
    }

    private enum Whole: Codable, Equatable {
        case vector(Vector)
        case query(Query)
        case average(Average)
        case terms(Terms)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            var alternatives = try Alternatives<Self>(of: decoder)
            alternatives.add(Self.vector)
            alternatives.add(Self.query)
            alternatives.add(Self.average)
            alternatives.add(Self.terms)
            self = try alternatives.chosen(or: Self.other)
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .vector(let value): try value.encode(to: encoder)
            case .query(let value): try value.encode(to: encoder)
            case .average(let value): try value.encode(to: encoder)
            case .terms(let value): try value.encode(to: encoder)
            case .other(let value): try value.encode(to: encoder)
            }
        }
    }

    /// Decodes and encodes, with each decoder, and as the only element of an array.
    private func read(_ json: String, file: StaticString = #filePath, line: UInt = #line) throws -> Whole {
        let data = Data(json.utf8)
        let value = try JSONValue.makeDecoder().decode(Whole.self, from: data)
        let fast = FastJSONDecoder(JSONValue.makeDecoder())
        XCTAssertEqual(try fast.decode(Whole.self, from: data), value, file: file, line: line)
        let list = try fast.decode([Whole].self, from: Data("[\(json)]".utf8))
        XCTAssertEqual(list, [value], file: file, line: line)
        XCTAssertEqual(
            try JSONValue(parsing: JSONValue.makeEncoder().encode(value)), try JSONValue(parsing: json),
            file: file, line: line)
        return value
    }

    func testARequiredMemberThatMayBeNullHasToBeThere() throws {
        guard case .average(let average) = try read(#"{"value":null}"#) else { return XCTFail("average") }
        XCTAssertNil(average.value)
        XCTAssertEqual(try read(#"{"buckets":[1,2]}"#), .terms(Terms(buckets: [1, 2])))
        XCTAssertEqual(try read(#"{"meta":{"a":1}}"#), .other(["meta": ["a": 1]]))
    }

    func testAnInnerUnionTakesNothingThatALaterAlternativeFits() throws {
        XCTAssertEqual(try read(#"{"nearest":7}"#), .query(Query(nearest: .id(.number(7)))))
        XCTAssertEqual(try read("7"), .vector(.id(.number(7))))
        XCTAssertEqual(try read("[1,2]"), .vector(.ids([.number(1), .number(2)])))
        XCTAssertEqual(try read("[0.5,2]"), .vector(.dense([0.5, 2])))
        XCTAssertEqual(try read(#""x""#), .other("x"))
    }

    func testAValueOfNoKnownAlternativeIsKept() throws {
        XCTAssertEqual(try read(#"{"new":{"a":[1,null]}}"#), .other(["new": ["a": [1, nil]]]))
        XCTAssertEqual(try read(#"{"nearest":{"new":1}}"#), .query(Query(nearest: .other(["new": 1]))))
        XCTAssertEqual(
            try read(#"{"nearest":{"new":1},"more":2}"#), .other(["nearest": ["new": 1], "more": 2]))
    }

    func testTheAlternativeThatLosesTheFewestMembersIsChosen() throws {
        let json = #"{"value":1,"buckets":[3],"new":true}"#
        let value = try JSONValue.makeDecoder().decode(Whole.self, from: Data(json.utf8))
        guard case .average = value else { return XCTFail("\(value)") }
    }

    /// A tree whose nodes are told apart by members that need not be there.
    private indirect enum Tree: Codable, Equatable, Sendable {
        case first(First)
        case second(Second)
        case other(JSONValue)

        static let decoded = Locked(0)

        struct First: Codable, Equatable, Sendable {
            var a: Int?
            var children: [Tree]?

            init(from decoder: any Decoder) throws {
                decoded.withLock { $0 += 1 }
                let container = try decoder.container(keyedBy: CodingKeys.self)
                a = try container.decodeIfPresent(Int.self, forKey: .a)
                children = try container.decodeIfPresent([Tree].self, forKey: .children)
            }
        }

        struct Second: Codable, Equatable, Sendable {
            var b: Int?
            var children: [Tree]?
        }

        init(from decoder: any Decoder) throws {
            var alternatives = try Alternatives<Self>(of: decoder)
            alternatives.add(Self.first)
            alternatives.add(Self.second)
            self = try alternatives.chosen(or: Self.other)
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .first(let value): try value.encode(to: encoder)
            case .second(let value): try value.encode(to: encoder)
            case .other(let value): try value.encode(to: encoder)
            }
        }
    }

    /// Each level would double the time otherwise.
    func testAUnionInAUnionIsChosenOnce() throws {
        for leaf in [#"{"b":0}"#, #"{"c":0}"#, #"{"b":0,"c":0}"#, "7"] {
            let json = (1...12).reduce(leaf) { inner, level in #"{"b":\#(level),"children":[\#(inner)]}"# }
            Tree.decoded.current = 0
            let tree = try FastJSONDecoder(JSONValue.makeDecoder()).decode(Tree.self, from: Data(json.utf8))
            XCTAssertLessThanOrEqual(Tree.decoded.current, 26, leaf)
            guard case .second(let root) = tree else { return XCTFail("\(tree)") }
            XCTAssertEqual(root.b, 12)
        }
    }

    func testEqualUnionsAtOtherDepthsAreChosenRightly() throws {
        let json = #"{"b":1,"children":[{"new":1},{"b":2,"children":[{"new":1},{"a":3}]}]}"#
        let tree = try FastJSONDecoder(JSONValue.makeDecoder()).decode(Tree.self, from: Data(json.utf8))
        let copy = try JSONValue(parsing: JSONValue.makeEncoder().encode(tree))
        XCTAssertEqual(copy, try JSONValue(parsing: json))
        guard case .second(let root) = tree, case .second(let inner) = root.children?[1] else {
            return XCTFail("\(tree)")
        }
        XCTAssertEqual(root.children?[0], .other(["new": 1]))
        XCTAssertEqual(inner.children?[0], .other(["new": 1]))
        guard case .first = inner.children?[1] else { return XCTFail("\(inner)") }
    }

    private enum Circle: Codable, Sendable {
        case inner(Inner)
        case other(JSONValue)

        indirect enum Inner: Codable, Sendable {
            case circle(Circle)
            case number(Int)
            case other(JSONValue)

            init(from decoder: any Decoder) throws {
                var alternatives = try Alternatives<Self>(of: decoder)
                alternatives.add(Self.circle)
                alternatives.add(Self.number)
                self = try alternatives.chosen(or: Self.other)
            }

            func encode(to encoder: any Encoder) throws {}
        }

        init(from decoder: any Decoder) throws {
            var alternatives = try Alternatives<Self>(of: decoder)
            alternatives.add(Self.inner)
            self = try alternatives.chosen(or: Self.other)
        }

        func encode(to encoder: any Encoder) throws {}
    }

    func testUnionsThatLeadToOneAnotherEnd() throws {
        let value = try JSONValue.makeDecoder().decode([Circle].self, from: Data("[7]".utf8))
        guard case .inner(.number(7)) = value[0] else { return XCTFail("\(value)") }
    }
}
