import XCTest

@testable import ManagerGenerator

/// Models with properties that only the server, or only the client, sets. What they send is tested by value in the
/// package of generated code (InputValueTests).
final class InputModelTests: XCTestCase {
    private static let id = #""id": {"type": "integer", "readOnly": true}"#

    /// The surface of what is generated of a schema that is sent and received.
    private func surface(
        _ schemas: String, body: String = "Pet", answer: String? = "Pet"
    ) throws -> [String: Surface.Model] {
        func content(_ name: String) -> String {
            ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}"##
        }
        let response = answer.map { ", " + content($0) } ?? ""
        let generation = try generate(
            #""components": {"schemas": \#(schemas)}"#,
            paths:
                #"{"/pets": {"post": {"operationId": "addPet", "requestBody": {"required": true, \#(content(body))}, "responses": {"200": {"description": ""\#(response)}}}}}"#
        )
        return generation.manifest.surface.models
    }

    private func members(_ model: Surface.Model?) -> Set<String>? { model.map { Set($0.members.keys) } }

    func testReadOnlyPropertiesAreNotInTheInput() throws {
        let models = try surface(
            #"{"Pet": {"type": "object", "required": ["id", "name"], "properties": {\#(Self.id), "seen": {"type": "string", "readOnly": true}, "name": {"type": "string"}}}}"#
        )
        XCTAssertEqual(members(models["Pet"]), ["id", "seen", "name"])
        XCTAssertEqual(members(models["Pet.Input"]), ["name"])
        XCTAssertEqual(models["Pet"]?.members["id"]?.type, "Int")
        XCTAssertEqual(models["Pet"]?.isSent, false)
        XCTAssertEqual(models["Pet.Input"]?.isSent, true)
    }

    func testModelsThatAreOnlySentOrOnlyReceivedHaveNoInput() throws {
        let schemas =
            #"{"Pet": {"type": "object", "required": ["id", "name"], "properties": {\#(Self.id), "name": {"type": "string"}}}, "Empty": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}"#
        let sent = try surface(schemas, answer: nil)
        XCTAssertNil(sent["Pet.Input"])
        let received = try surface(schemas, body: "Empty")
        XCTAssertNil(received["Pet.Input"])
        XCTAssertEqual(received["Pet"]?.members["id"]?.type, "Int")
    }

    func testOptionalReadOnlyPropertiesNeedNoInput() throws {
        let models = try surface(
            #"{"Pet": {"type": "object", "required": ["name"], "properties": {\#(Self.id), "name": {"type": "string"}}}}"#
        )
        XCTAssertNil(models["Pet.Input"])
        XCTAssertEqual(models["Pet"]?.isSent, true)
    }

    func testTheDiscriminatorIsSentAlthoughItIsReadOnly() throws {
        func alternative(_ kind: String) -> String {
            #"{"type": "object", "required": ["id", "kind"], "properties": {\#(Self.id), "kind": {"type": "string", "enum": ["\#(kind)"], "readOnly": true}}}"#
        }
        let models = try surface(
            ##"{"Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}, "Cat": \##(alternative("cat")), "Dog": \##(alternative("dog"))}"##
        )
        XCTAssertEqual(members(models["Pet.Input"]), ["cat", "dog"])
        XCTAssertEqual(members(models["Cat.Input"]), ["kind"])
        XCTAssertEqual(models["Dog.Input"]?.members["kind"]?.type, "Dog.Kind")
    }

    func testGeneratedTestsExpectWhatIsSent() throws {
        let cat =
            #"{"type": "object", "required": ["id", "name"], "properties": {\#(Self.id), "name": {"type": "string"}}}"#
        let union =
            ##"{"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "kind"}}"##
        let body = #"{"content": {"application/json": {"schema": \#(union)}}}"#
        let cats =
            ##"{"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Cat"}}}}}"##
        let generation = try generate(
            #""components": {"schemas": {"Cat": \#(cat), "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["Dog"]}}}}}"#,
            paths:
                #"{"/pets": {"post": {"operationId": "addPet", "requestBody": \#(body), "responses": \#(cats)}}}"#
        )
        let tests = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("UnionTests.swift") }).text
        XCTAssertTrue(tests.contains(##"(try decoded(#"{"id":7,"kind":"Cat","name":"text"}"#)"##), tests)
        XCTAssertTrue(tests.contains(##"try decoded(#"{"name":"text"}"#)"##), tests)
        let request = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("AddPetManagerTests.swift") })
            .text
        XCTAssertFalse(request.contains(#""kind""#), "the manager does not send it")
        XCTAssertTrue(
            generation.notes.contains {
                $0.text.contains("the discriminator kind, which is no property of cat")
            },
            "\(generation.notes)")
    }

    func testNameOfASchemaIsNotTaken() throws {
        let models = try surface(
            ##"{"Input": {"type": "object", "properties": {"a": {"type": "string"}}}, "Pet": {"type": "object", "required": ["id"], "properties": {\##(Self.id), "input": {"$ref": "#/components/schemas/Input"}}}}"##
        )
        XCTAssertEqual(members(models["Pet.PetInput"]), ["input"])
        XCTAssertEqual(models["Pet.PetInput"]?.members["input"]?.type, "Input?")
    }

    func testAnInputWithoutPropertiesReadsOnlyOthers() throws {
        let generation = try generate(
            ##""components": {"schemas": {"Pet": {"type": "object", "required": ["id"], "properties": {\##(Self.id)}, "additionalProperties": {"type": "integer"}}}}"##,
            paths:
                ##"{"/pets": {"post": {"operationId": "addPet", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}, "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}}}"##
        )
        let pet = try XCTUnwrap(generation.model("Pet"))
        let input = try XCTUnwrap(pet.components(separatedBy: "struct Input").last)
        XCTAssertTrue(input.contains("additionalProperties = try [String: Int](from: decoder)"), input)
        XCTAssertFalse(input.contains("CodingKeys"), input)
    }

    func testFormsHaveNoReadOnlyFields() throws {
        let schema =
            #"{"type": "object", "required": ["id", "name"], "properties": {\#(Self.id), "name": {"type": "string"}}}"#
        let generation = try generate(
            paths:
                #"{"/pets": {"post": {"operationId": "addPet", "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": \#(schema)}}}, "responses": {"204": {"description": ""}}}}}"#
        )
        let manager = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("AddPetManager.swift") }).text
        XCTAssertTrue(manager.contains("var name: String"), manager)
        XCTAssertFalse(manager.contains("var id:"), manager)
    }
}
