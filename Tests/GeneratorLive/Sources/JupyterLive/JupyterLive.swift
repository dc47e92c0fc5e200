import DiscreteNetworking
import Foundation
import JupyterAPI
import Live

/// Calls each of the 32 operations that a Jupyter server describes, and once more those whose responses it describes wrongly.
@main
struct JupyterLive {
    static func main() async {
        await Live.main { server in
            let service = AuthorizedService()
            service.server.current = server
            ServiceFactory.shared.register([.jupyterServer: { service }])
            try await about()
            try await contents()
            try await checkpoints()
            try await kernels()
            try await sessions()
            try await terminals()
        }
    }

    @MainActor private static func about() async throws {
        try await Live.expect { try await GetAPIManager().load().version?.isEmpty == false }
        try await Live.call { try await GetAPIStatusManager().load() }
        try await Live.expect {
            let specs = try await GetAPIKernelspecsManager().load()
            return specs.kernelspecs?["python3"]?.spec?.language == "python"
        }
        try await Live.call { try await GetAPIMeManager().load(with: .init()) }
        try await Live.expect { try await GetAPISpecYamlManager().load().hasPrefix("swagger:") }
        try await Live.expect {
            let theme: JSONValue = ["theme": "dark"]
            let changed = try await PatchAPIConfigBySectionNameManager().load(
                with: .init(sectionName: "notebook", body: theme.object))
            return changed["theme"] == "dark"
        }
        try await Live.expect {
            try await GetAPIConfigBySectionNameManager().load(with: .init(sectionName: "notebook"))["theme"]
                == "dark"
        }
    }

    @MainActor private static func contents() async throws {
        let saved = try await Live.call {
            try await PutAPIContentsByPathManager().load(
                with: .init(path: "poem.txt", body: .init(content: "春眠不觉晓", format: "text", type: "file")))
        }
        guard saved.content == .null else { throw Unexpected(text: "The content of a saved file is null.") }
        try await Live.call {
            try await PutAPIContentsByPathManager().load(
                with: .init(path: "poems", body: .init(type: "directory")))
        }
        try await Live.expect {
            let poem = try await GetAPIContentsByPathManager().load(with: .init(path: "poem.txt"))
            return poem.content == "春眠不觉晓" && poem.format == "text" && poem.type == .file
        }
        try await Live.expect {
            let poem = try await GetAPIContentsByPathManager().load(with: .init(path: "poem.txt", content: 0))
            return poem.content == .null && poem.format == nil
        }
        try await Live.expect {
            let made = try await PostAPIContentsByPathManager().load(
                with: .init(path: "poems", body: .init(ext: ".txt", type: "file")))
            let folder = try await GetAPIContentsByPathManager().load(with: .init(path: "poems"))
            return folder.content.array?.contains { $0["name"]?.string == made.name } == true
        }
        try await Live.expect {
            let moved = try await PatchAPIContentsByPathManager().load(
                with: .init(path: "poem.txt", body: .init(path: "spring.txt")))
            return moved.name == "spring.txt"
        }
        try await Live.call { try await GetAPIResolvePathManager().load(with: .init(path: "spring.txt")) }
    }

    @MainActor private static func checkpoints() async throws {
        let made = try await Live.call {
            try await PostAPIContentsByPathCheckpointsManager().load(with: .init(path: "spring.txt"))
        }
        try await Live.expect {
            try await GetAPIContentsByPathCheckpointsManager().load(with: .init(path: "spring.txt"))
                .contains { $0.id == made.id }
        }
        try await Live.call {
            try await PostAPIContentsByPathCheckpointsByCheckpointIDManager().load(
                with: .init(path: "spring.txt", checkpointID: made.id))
        }
        try await Live.call {
            try await DeleteAPIContentsByPathCheckpointsByCheckpointIDManager().load(
                with: .init(path: "spring.txt", checkpointID: made.id))
        }
        try await Live.call {
            try await DeleteAPIContentsByPathManager().load(with: .init(path: "spring.txt"))
        }
        try await Live.refused(.http(status: 404)) {
            try await GetAPIContentsByPathManager().load(with: .init(path: "spring.txt"))
        }
    }

    @MainActor private static func kernels() async throws {
        let kernel = try await Live.call {
            try await PostAPIKernelsManager().load(with: .init(body: .init(name: "python3")))
        }
        try await Live.expect { try await GetAPIKernelsManager().load().contains { $0.id == kernel.id } }
        try await Live.expect {
            try await GetAPIKernelsByKernelIDManager().load(with: .init(kernelID: kernel.id)).name
                == "python3"
        }
        try await Live.call {
            try await PostAPIKernelsByKernelIDInterruptManager().load(with: .init(kernelID: kernel.id))
        }
        try await Live.call {
            try await PostAPIKernelsByKernelIDRestartManager().load(with: .init(kernelID: kernel.id))
        }
        try await Live.call {
            try await DeleteAPIKernelsByKernelIDManager().load(with: .init(kernelID: kernel.id))
        }
    }

    @MainActor private static func sessions() async throws {
        let session = try await Live.call {
            try await PostAPISessionsManager().load(with: [
                "body": [
                    "path": "book.ipynb", "type": "notebook", "name": "book", "kernel": ["name": "python3"],
                ] as JSONValue
            ])
        }
        guard let id = session.id else { throw Unexpected(text: "The session has no id.") }
        try await Live.expect { try await GetAPISessionsManager().load().contains { $0.id == id } }
        try await Live.expect {
            try await GetAPISessionsBySessionManager().load(with: .init(session: id)).name == "book"
        }
        try await Live.expect {
            let changed = try await PatchAPISessionsBySessionManager().load(
                with: .init(session: id, body: Session(name: "second")))
            return changed.name == "second"
        }
        try await Live.call { try await DeleteAPISessionsBySessionManager().load(with: .init(session: id)) }
    }

    @MainActor private static func terminals() async throws {
        let terminal = try await Live.call { try await PostAPITerminalsManager().load() }
        try await Live.expect {
            try await GetAPITerminalsManager().load().contains { $0.name == terminal.name }
        }
        try await Live.call {
            try await GetAPITerminalsByTerminalIDManager().load(with: .init(terminalID: terminal.name))
        }
        try await Live.call {
            try await DeleteAPITerminalsByTerminalIDManager().load(with: .init(terminalID: terminal.name))
        }
    }
}

private struct Unexpected: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

/// The service with the token, which the description does not mention.
private final class AuthorizedService: JupyterServerServiceDescription {
    let environment = EnvironmentSwitch(ServiceEnvironment.release)
    let server = Locked<URL?>(nil)

    func extraHeaders(for call: APICall) -> [String: String] { ["Authorization": "token secret"] }
}
