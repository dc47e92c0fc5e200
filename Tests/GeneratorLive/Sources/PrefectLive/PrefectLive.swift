import DiscreteNetworking
import Foundation
import Live
import PrefectAPI

/// Creates, lists, changes and deletes what a Prefect server keeps.
@main
struct PrefectLive {
    /// Makes the names of this run its own.
    private static let stamp = UUID().uuidString.lowercased().prefix(8)

    static func main() async {
        await Live.main { server in
            let service = PrefectService()
            service.server.current = server
            ServiceFactory.shared.register([.prefect: { service }])
            try await about()
            try await flows()
            try await variables()
            try await blocksAndLimits()
        }
    }

    @MainActor private static func about() async throws {
        try await Live.call { try await HealthCheckManager().load() }
        try await Live.call { try await ServerVersionManager().load() }
        try await Live.call { try await ReadSettingsManager().load() }
        try await Live.call { try await ReadVersionManager().load() }
        try await Live.call { try await HelloManager().load() }
    }

    @MainActor private static func flows() async throws {
        let flow = try await Live.call {
            try await CreateFlowManager().load(
                with: .init(
                    body: FlowCreate(
                        name: "茶-\(stamp)", labels: ["n": .integer(7), "s": .string("x"), "b": .bool(true)],
                        tags: ["a"])))
        }
        try await Live.call { try await ReadFlowsManager().load(with: .init()) }
        try await Live.call { try await ReadFlowManager().load(with: .init(id: flow.id)) }
        try await Live.call { try await ReadFlowByNameManager().load(with: .init(name: flow.name)) }
        try await Live.call {
            try await UpdateFlowManager().load(
                with: .init(id: flow.id, body: FlowUpdate(tags: ["b", "c"])))
        }
        try await Live.expect {
            let changed = try await ReadFlowManager().load(with: .init(id: flow.id))
            return changed.tags == ["b", "c"] && changed.name == flow.name
        }
        try await Live.call { try await CountFlowsManager().load(with: .init()) }
        try await Live.call { try await PaginateFlowsManager().load(with: .init()) }
        try await runs(of: flow)
        try await deployments(of: flow)
        try await Live.call { try await DeleteFlowManager().load(with: .init(id: flow.id)) }
        let gone = try await Live.refused(.http(status: 404)) {
            try await ReadFlowManager().load(with: .init(id: flow.id))
        }
        print("A flow that is gone: \(gone)")
        let wrong = try await Live.refused(.http(status: 422)) {
            try await ReadFlowsManager().load(with: ["body": ["limit": "nonsense"] as JSONValue])
        }
        print(
            "What the backend says about a wrong limit: \(ReadFlowsManager.failure(in: wrong) as Any)")
    }

    @MainActor private static func runs(of flow: Flow) async throws {
        let run = try await Live.call {
            try await CreateFlowRunManager().load(
                with: .init(
                    body: FlowRunCreate(
                        flowID: flow.id, name: "run", parameters: ["n": 1, "deep": ["x": [1.5, nil]]],
                        state: StateCreate(type: .pending, name: "Pending"), tags: ["t"])))
        }
        try await Live.call { try await ReadFlowRunManager().load(with: .init(id: run.id)) }
        try await Live.call { try await ReadFlowRunsManager().load(with: .init()) }
        try await Live.call { try await CountFlowRunsManager().load(with: .init()) }
        try await Live.call { try await PaginateFlowRunsManager().load(with: .init()) }
        try await Live.call {
            try await UpdateFlowRunManager().load(
                with: .init(id: run.id, body: FlowRunUpdate(name: .value("renamed"))))
        }
        try await Live.call {
            try await SetFlowRunStateManager().load(
                with: .init(id: run.id, body: .init(state: StateCreate(type: .running))))
        }
        try await Live.call {
            try await ReadFlowRunStatesManager().load(with: .init(flowRunID: run.id))
        }
        try await Live.call { try await ReadFlowRunGraphV2Manager().load(with: .init(id: run.id)) }
        try await Live.call { try await ReadFlowRunGraphV1Manager().load(with: .init(id: run.id)) }
        try await tasks(of: run)
        try await logsAndArtifacts(of: run)
        try await Live.call { try await DeleteFlowRunManager().load(with: .init(id: run.id)) }
    }

    @MainActor private static func tasks(of run: FlowRunResponse) async throws {
        let task = try await Live.call {
            try await CreateTaskRunManager().load(
                with: .init(
                    body: TaskRunCreate(
                        dynamicKey: "0", taskKey: "pour", flowRunID: run.id,
                        state: StateCreate(type: .completed))))
        }
        try await Live.call { try await ReadTaskRunManager().load(with: .init(id: task.id)) }
        try await Live.call { try await ReadTaskRunsManager().load(with: .init()) }
        try await Live.call {
            try await UpdateTaskRunManager().load(
                with: .init(id: task.id, body: TaskRunUpdate(name: "pour slowly")))
        }
        try await Live.call { try await CountTaskRunsManager().load(with: .init()) }
        try await Live.call {
            try await ReadTaskRunStatesManager().load(with: .init(taskRunID: task.id))
        }
        try await Live.call { try await DeleteTaskRunManager().load(with: .init(id: task.id)) }
    }

    @MainActor private static func logsAndArtifacts(of run: FlowRunResponse) async throws {
        try await Live.call {
            try await CreateLogsManager().load(
                with: .init(body: [
                    LogCreate(level: 20, message: "煮水", name: "kettle", timestamp: Date(), flowRunID: run.id)
                ]))
        }
        try await Live.call { try await ReadLogsManager().load(with: .init()) }
        let artifact = try await Live.call {
            try await CreateArtifactManager().load(
                with: .init(body: ArtifactCreate(data: ["rows": [1, 2]], key: "k-\(stamp)", type: "table")))
        }
        try await Live.call { try await ReadArtifactManager().load(with: .init(id: artifact.id!)) }
        try await Live.call { try await ReadArtifactsManager().load(with: .init()) }
        try await Live.call {
            try await ReadLatestArtifactManager().load(with: .init(key: "k-\(stamp)"))
        }
        try await Live.call { try await CountArtifactsManager().load(with: .init()) }
        try await Live.call { try await DeleteArtifactManager().load(with: .init(id: artifact.id!)) }
    }

    @MainActor private static func variables() async throws {
        let variable = try await Live.call {
            try await CreateVariableManager().load(
                with: .init(body: VariableCreate(name: "v_\(stamp)", value: .string("绿茶"), tags: ["x"])))
        }
        try await Live.call {
            try await ReadVariableByNameManager().load(with: .init(name: variable.name))
        }
        try await Live.call {
            try await UpdateVariableManager().load(
                with: .init(id: variable.id, body: VariableUpdate(value: .value(.jsonDictionary(["k": 1.5]))))
            )
        }
        try await Live.call { try await ReadVariablesManager().load(with: .init()) }
        try await Live.call { try await CountVariablesManager().load(with: .init()) }
        try await Live.call { try await DeleteVariableManager().load(with: .init(id: variable.id)) }
    }

    @MainActor private static func deployments(of flow: Flow) async throws {
        let pool = try await Live.call {
            try await CreateWorkPoolManager().load(
                with: .init(body: WorkPoolCreate(name: "pool-\(stamp)", description: "d", type: "process")))
        }
        try await Live.call { try await ReadWorkPoolManager().load(with: .init(name: pool.name)) }
        try await Live.call { try await ReadWorkPoolsManager().load(with: .init()) }
        try await Live.call {
            try await UpdateWorkPoolManager().load(
                with: .init(name: pool.name, body: WorkPoolUpdate(isPaused: .value(true))))
        }
        try await Live.call { try await CountWorkPoolsManager().load(with: .init()) }
        let deployment = try await Live.call {
            try await CreateDeploymentManager().load(
                with: .init(
                    body: DeploymentCreate(
                        flowID: flow.id, name: "d", parameters: ["a": 1], tags: ["z"], workPoolName: pool.name
                    )))
        }
        try await Live.call { try await ReadDeploymentManager().load(with: .init(id: deployment.id)) }
        try await Live.call { try await ReadDeploymentsManager().load(with: .init()) }
        try await Live.call {
            try await ReadDeploymentByNameManager().load(
                with: .init(flowName: flow.name, deploymentName: "d"))
        }
        try await Live.call { try await CountDeploymentsManager().load(with: .init()) }
        try await Live.call { try await PauseDeploymentManager().load(with: .init(id: deployment.id)) }
        try await Live.call { try await ResumeDeploymentManager().load(with: .init(id: deployment.id)) }
        try await Live.call { try await DeleteDeploymentManager().load(with: .init(id: deployment.id)) }
        try await Live.call { try await DeleteWorkPoolManager().load(with: .init(name: pool.name)) }
    }

    @MainActor private static func blocksAndLimits() async throws {
        let block = try await Live.call {
            try await CreateBlockTypeManager().load(
                with: .init(body: BlockTypeCreate(name: "Block \(stamp)", slug: "block-\(stamp)")))
        }
        try await Live.call { try await ReadBlockTypesManager().load(with: .init()) }
        try await Live.call {
            try await ReadBlockTypeBySlugManager().load(with: .init(slug: block.slug))
        }
        try await Live.call {
            try await UpdateBlockTypeManager().load(
                with: .init(id: block.id, body: BlockTypeUpdate(description: .value("of tea"))))
        }
        // What is left out is kept, and null clears.
        try await Live.call {
            try await UpdateBlockTypeManager().load(
                with: .init(id: block.id, body: BlockTypeUpdate(codeExample: .value("pour()"))))
        }
        try await Live.expect {
            try await ReadBlockTypeBySlugManager().load(with: .init(slug: block.slug)).description == "of tea"
        }
        try await Live.call {
            try await UpdateBlockTypeManager().load(
                with: .init(id: block.id, body: BlockTypeUpdate(description: .null)))
        }
        try await Live.expect {
            let cleared = try await ReadBlockTypeBySlugManager().load(with: .init(slug: block.slug))
            return cleared.description == nil && cleared.codeExample == "pour()"
        }
        try await Live.call { try await DeleteBlockTypeManager().load(with: .init(id: block.id)) }
        try await Live.call { try await ReadBlockSchemasManager().load(with: .init()) }
        try await Live.call { try await ReadAvailableBlockCapabilitiesManager().load() }
        try await Live.call {
            try await CreateConcurrencyLimitManager().load(
                with: .init(body: ConcurrencyLimitCreate(concurrencyLimit: 3, tag: "l-\(stamp)")))
        }
        try await Live.call { try await ReadConcurrencyLimitsManager().load(with: .init()) }
        try await Live.call {
            try await DeleteConcurrencyLimitByTagManager().load(with: .init(tag: "l-\(stamp)"))
        }
        try await Live.call { try await ReadAllConcurrencyLimitsV2Manager().load(with: .init()) }
        try await Live.call { try await ReadAutomationsManager().load(with: .init()) }
    }
}
