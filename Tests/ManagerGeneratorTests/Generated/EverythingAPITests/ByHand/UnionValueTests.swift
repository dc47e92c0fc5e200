import DiscreteNetworking
import EverythingAPI
import Foundation
import XCTest

/// Values of the unions in `constructs.json`: decoded by the generated code, and sent back.
final class UnionValueTests: XCTestCase {
    private func decoded(_ json: String) throws -> Unions {
        try Params.makeDecoder().decode(Unions.self, from: Data(json.utf8))
    }

    /// Decodes a value and compares what is sent with what was received.
    private func roundTrip(
        _ name: String, _ json: String, file: StaticString = #filePath, line: UInt = #line
    ) throws -> Unions {
        let text = #"{"\#(name)": \#(json)}"#
        let value = try decoded(text)
        XCTAssertEqual(value.jsonValue, try JSONValue(parsing: text), file: file, line: line)
        return value
    }

    func testConstantsAreTheValuesOfADiscriminatorWithoutMapping() throws {
        guard
            case .createdEvent(let created)? = try roundTrip("event", #"{"type": "created", "by": "Li"}"#)
                .event
        else { return XCTFail("created") }
        XCTAssertEqual(created.by, "Li")
        guard
            case .deletedEvent(let deleted)? = try roundTrip(
                "event", #"{"type": "deleted", "reason": "old", "at": "2024-02-29T12:30:00.000Z"}"#
            ).event
        else { return XCTFail("deleted") }
        XCTAssertEqual(deleted.reason, "old")
    }

    func testAUnionInsideAUnionHasTheConstantsOfItsAlternatives() throws {
        guard
            case .notice(.alarm(let alarm))? = try roundTrip(
                "event", #"{"type": "notice.alarm", "level": 3}"#
            ).event
        else { return XCTFail("alarm") }
        XCTAssertEqual(alarm.level, 3)
    }

    func testNamesOfSchemasAreTheValuesOfADiscriminatorWithoutConstants() throws {
        guard
            case .lizard(let lizard)? = try roundTrip("reptile", #"{"kind": "Lizard", "tail": true}"#).reptile
        else { return XCTFail("lizard") }
        XCTAssertEqual(lizard.tail, true)
        guard case .snake? = try roundTrip("reptile", #"{"kind": "Snake", "length": 2}"#).reptile
        else { return XCTFail("snake") }
        guard case .other? = try roundTrip("reptile", #"{"kind": "Gecko", "legs": 4}"#).reptile
        else { return XCTFail("gecko") }
    }

    func testDistinctConstantsAreADiscriminator() throws {
        guard
            case .cancelRun(let cancel)? = try roundTrip(
                "action", #"{"type": "cancel-flow-run", "reason": "late"}"#
            ).action
        else { return XCTFail("cancel") }
        XCTAssertEqual(cancel.reason, "late")
        guard
            case .pauseRun(let pause)? = try roundTrip(
                "action", #"{"type": "pause-flow-run", "source": "selected"}"#
            ).action
        else { return XCTFail("pause") }
        XCTAssertEqual(pause.source, "selected")
        guard case .doNothing? = try roundTrip("action", #"{"type": "do-nothing"}"#).action
        else { return XCTFail("nothing") }
        guard case .other? = try roundTrip("action", #"{"type": "new", "field": 1}"#).action
        else { return XCTFail("new") }
    }

    func testNumbersAndBooleansAreConstantsToo() throws {
        guard case .button? = try roundTrip("component", #"{"type": 2, "label": "OK"}"#).component
        else { return XCTFail("button") }
        guard case .row? = try roundTrip("component", #"{"type": 1, "label": "OK"}"#).component
        else { return XCTFail("row") }
        guard case .broken(let broken)? = try roundTrip("outcome", #"{"ok": false, "text": "No"}"#).outcome
        else { return XCTFail("broken") }
        XCTAssertEqual(broken.text, "No")
    }

    func testAlternativesThatAreNoObjectsOrHaveNoConstant() throws {
        guard case .option1(.auto)? = try roundTrip("choice", #""auto""#).choice else {
            return XCTFail("auto")
        }
        guard case .tool? = try roundTrip("choice", #"{"type": "tool", "name": "a"}"#).choice
        else { return XCTFail("tool") }
        guard case .function? = try roundTrip("choice", #"{"type": "function", "name": "a"}"#).choice
        else { return XCTFail("function") }
        guard case .free? = try roundTrip("choice", #"{"text": "a"}"#).choice else { return XCTFail("free") }
        guard case .function? = try roundTrip("choice", #"{"name": "a"}"#).choice
        else { return XCTFail("without the discriminator") }
    }

    func testAConstantOfSeveralAlternatives() throws {
        guard
            case .assistantMessage? = try roundTrip(
                "message", #"{"type": "message", "model": "m"}"#
            ).message
        else { return XCTFail("assistant") }
        guard case .userMessage? = try roundTrip("message", #"{"type": "message", "user": "u"}"#).message
        else { return XCTFail("user") }
        guard
            case .developerMessage? = try roundTrip(
                "message", #"{"type": "note", "role": "developer", "text": "t"}"#
            ).message
        else { return XCTFail("developer") }
        guard
            case .systemMessage? = try roundTrip(
                "message", #"{"type": "note", "role": "system", "text": "t"}"#
            ).message
        else { return XCTFail("system") }
        guard case .other? = try roundTrip("message", #"{"type": "note", "role": "new"}"#).message
        else { return XCTFail("new") }
        guard case .call? = try roundTrip("message", #"{"type": "call"}"#).message
        else { return XCTFail("call") }
    }
}
