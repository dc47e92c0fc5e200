import DiscreteNetworking
import Foundation
import LabelStudioAPI
import Live

/// Reads and changes what `seed_label_studio.py` has put into a Label Studio server.
@main
struct LabelStudioLive {
    private static let config =
        #"<View><Text name="text" value="$text"/><Choices name="c" toName="text"><Choice value="好"/></Choices></View>"#

    static func main() async {
        await Live.main { server in
            // As it is generated: the description says that the token has "Token" before it.
            let service = LabelStudioService(server: server)
            guard let token = ProcessInfo.processInfo.environment["LABEL_STUDIO_TOKEN"] else {
                throw NoToken()
            }
            service.session.adopt(SessionTokens(accessToken: token))
            ServiceFactory.shared.register([.labelStudio: { service }])
            try await users()
            try await projects()
            try await tasks()
            try await views()
            try await labelsAndStorages()
        }
    }

    @MainActor private static func users() async throws {
        try await Live.show("who am I") { try await APICurrentUserWhoamiRetrieveManager().load() }
        try await Live.show("token") { try await APICurrentUserTokenRetrieveManager().load() }
        try await Live.show("hotkeys") { try await APICurrentUserHotkeysRetrieveManager().load() }
        try await Live.show("change hotkeys") {
            try await APICurrentUserHotkeysPartialUpdateManager().load(
                with: .init(
                    body: .init(customHotkeys: ["annotation:undo": ["key": "ctrl+y", "active": false]])))
        }
        try await Live.show("users") { try await APIUsersListManager().load() }
        try await Live.show("organizations") { try await APIOrganizationsListManager().load() }
        try await Live.show("organization") {
            try await APIOrganizationsRetrieveManager().load(with: .init(id: 1))
        }
        try await Live.show("members") {
            try await APIOrganizationsMembershipsListManager().load(with: .init(id: 1))
        }
        try await Live.show("invitation") { try await APIInviteRetrieveManager().load() }
        try await Live.show("session policy") { try await APISessionPolicyRetrieveManager().load() }
    }

    @MainActor private static func projects() async throws {
        try await Live.show("projects") {
            try await APIProjectsListManager().load(with: .init(ordering: "id", page: 1, pageSize: 2))
        }
        try await Live.show("search") {
            try await APIProjectsListManager().load(with: .init(search: "a&b=“ü”", title: "春眠"))
        }
        try await Live.show("project") { try await APIProjectsRetrieveManager().load(with: .init(id: 1)) }
        let project = try await Live.show("new project") {
            try await APIProjectsCreateManager().load(
                with: .init(
                    body: .init(
                        controlWeights: ["c": ["overall": 0.5]], description: "a\u{2028}b",
                        labelConfig: config, maximumAnnotations: 3,
                        pinnedAt: Date(timeIntervalSince1970: 1_700_000_000.25),
                        sampling: .uniformSampling, title: "茶 \u{1F375}")))
        }
        try await Live.show("change the project") {
            try await APIProjectsPartialUpdateManager().load(
                with: .init(id: project.id, body: .init(description: .value(""), title: .value("‘Tea’"))))
        }
        let cleared = try await Live.show("clear two fields") {
            try await APIProjectsPartialUpdateManager().load(
                with: .init(id: project.id, body: .init(description: .null, pinnedAt: .null)))
        }
        try await Live.expect { cleared.description == nil && cleared.pinnedAt == nil }
        try await Live.show("import") {
            try await APIProjectsImportCreateManager().load(
                with: .init(
                    id: project.id,
                    body: [.init(data: ["text": "一", "n": nil, "deep": [1, 2.5, nil]], meta: ["x": 1])],
                    returnTaskIDs: true))
        }
        try await Live.show("tasks of the project") {
            try await APIProjectsTasksListManager().load(with: .init(id: project.id))
        }
        try await Live.show("validate") {
            try await APIProjectsValidateLabelConfigManager().load(
                with: .init(id: project.id, body: .init(labelConfig: config)))
        }
        try await Live.show("annotators") {
            try await APIProjectsAnnotatorsRetrieveManager().load(with: .init(id: 1))
        }
        try await Live.show("exports") { try await APIProjectsExportsListManager().load(with: .init(id: 1)) }
        try await Live.show("new export") {
            try await APIProjectsExportsCreateManager().load(with: .init(id: 1, body: .init(title: "出口")))
        }
        try await Live.done("delete the project") {
            _ = try await APIProjectsDestroyManager().load(with: .init(id: project.id))
        }
        try await Live.refused(.http(status: 404)) {
            try await APIProjectsRetrieveManager().load(with: .init(id: project.id))
        }
    }

    @MainActor private static func tasks() async throws {
        try await Live.show("tasks") {
            try await APITasksListManager().load(with: .init(fields: .all, page: 1, project: 1))
        }
        try await Live.show("tasks by a query") {
            try await APITasksListManager().load(
                with: .init(fields: .taskOnly, project: 1, query: #"{"ordering":["-tasks:id"]}"#))
        }
        for id in 1...4 {
            try await Live.show("task \(id)") {
                try await APITasksRetrieveManager().load(with: .init(id: "\(id)"))
            }
        }
        let task = try await Live.show("new task") {
            try await APITasksCreateManager().load(
                with: .init(
                    body: .init(
                        data: [
                            "text": "新 \" \\ \u{1F642}", "big": .number(JSONNumber(9_007_199_254_740_993)),
                            "null": nil, "list": [[], [:], true],
                        ], project: 1)))
        }
        try await Live.show("change the task") {
            try await APITasksPartialUpdateManager().load(
                with: .init(id: "\(task.id)", body: .init(data: ["text": "changed"])))
        }
        let annotation = try await Live.show("new annotation") {
            try await APITasksAnnotationsCreateManager().load(
                with: .init(
                    id: task.id,
                    body: .init(
                        leadTime: 0.125,
                        result: [
                            [
                                "id": "a", "from_name": "c", "to_name": "text", "type": "choices",
                                "value": ["choices": ["好"], "none": nil],
                            ]
                        ])))
        }
        try await Live.show("annotations") {
            try await APITasksAnnotationsListManager().load(with: .init(id: task.id))
        }
        try await Live.show("annotation") {
            try await APIAnnotationsRetrieveManager().load(with: .init(id: annotation.id))
        }
        try await Live.show("change the annotation") {
            try await APIAnnotationsPartialUpdateManager().load(
                with: .init(id: annotation.id, body: .init(leadTime: 3)))
        }
        try await Live.done("delete the annotation") {
            _ = try await APIAnnotationsDestroyManager().load(with: .init(id: annotation.id))
        }
        let prediction = try await Live.show("new prediction") {
            try await APIPredictionsCreateManager().load(
                with: .init(body: .init(modelVersion: "模", result: [], score: 0.1, task: task.id)))
        }
        try await Live.show("change the prediction") {
            try await APIPredictionsPartialUpdateManager().load(
                with: .init(id: prediction.id, body: .init(score: 1)))
        }
        try await Live.show("predictions") {
            try await APIPredictionsListManager().load(with: .init(project: 1))
        }
        try await Live.done("delete the task") {
            _ = try await APITasksDestroyManager().load(with: .init(id: "\(task.id)"))
        }
    }

    @MainActor private static func views() async throws {
        try await Live.show("views") { try await APIDmViewsListManager().load(with: .init(project: 1)) }
        let view = try await Live.show("new view") {
            try await APIDmViewsCreateManager().load(
                with: .init(
                    body: .init(
                        data: .init(
                            filters: .init(
                                conjunction: .or,
                                items: [
                                    .init(
                                        filter: .filterTasksID, operator: .init(rawValue: "greater"),
                                        type: "Number", value: .integer(3))
                                ])), project: 1)))
        }
        try await Live.show("view") {
            try await APIDmViewsRetrieveManager().load(with: .init(id: "\(view.id)"))
        }
        try await Live.show("change the view") {
            try await APIDmViewsPartialUpdateManager().load(
                with: .init(
                    id: "\(view.id)",
                    body: .init(data: .init(ordering: [.init(rawValue: "tasks:id")]), project: 1)))
        }
        try await Live.show("actions") {
            try await APIDmActionsRetrieveManager().load(with: .init(project: 1))
        }
        // The description has no content for it; it is learned.
        try await Live.show("columns") {
            try await APIDmColumnsRetrieveManager().load(with: .init(project: 1))
        }
        try await Live.done("delete the view") {
            _ = try await APIDmViewsDestroyManager().load(with: .init(id: "\(view.id)"))
        }
    }

    @MainActor private static func labelsAndStorages() async throws {
        try await Live.show("labels") { try await APILabelsListManager().load(with: .init()) }
        try await Live.show("new label") {
            try await APILabelsCreateManager().load(
                with: .init(
                    body: [.init(fromName: "c", project: 1, title: "标", value: ["a": [nil, 1.5]])]))
        }
        try await Live.show("change the label") {
            try await APILabelsPartialUpdateManager().load(
                with: .init(id: "1", body: .init(description: .value("好"))))
        }
        try await Live.show("label") { try await APILabelsRetrieveManager().load(with: .init(id: "1")) }
        let hook = try await Live.show("new webhook") {
            try await APIWebhooksCreateManager().load(
                with: .init(
                    body: .init(
                        url: "https://example.com/?a=ü", actions: [.projectUpdated], headers: ["X": "1"],
                        isActive: false, project: 1)))
        }
        try await Live.show("webhooks") { try await APIWebhooksListManager().load(with: .init()) }
        try await Live.show("change the webhook") {
            try await APIWebhooksPartialUpdateManager().load(
                with: .init(id: hook.id, body: .init(sendPayload: false)))
        }
        try await Live.show("local storages") {
            try await APIStoragesLocalfilesListManager().load(with: .init(project: 1))
        }
        try await Live.show("local storage") {
            try await APIStoragesLocalfilesRetrieveManager().load(with: .init(id: 1))
        }
        try await Live.show("kinds of storages") { try await APIStoragesTypesRetrieveManager().load() }
    }
}

private struct NoToken: Error {}
