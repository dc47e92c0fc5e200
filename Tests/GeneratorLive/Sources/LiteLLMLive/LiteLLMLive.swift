import DiscreteNetworking
import Foundation
import LiteLLMAPI
import Live

/// Calls a proxy of LiteLLM that has models with recorded responses, and no database.
@main
struct LiteLLMLive {
    static func main() async {
        await Live.main { server in
            let service = LiteLLMService(server: server)
            service.credentials.withLock {
                $0.apiKeyHeader = ProcessInfo.processInfo.environment["LITELLM_MASTER_KEY"]
            }
            ServiceFactory.shared.register([.liteLLM: { service }])
            try await published()
            try await settings()
            try await lists()
            try await models()
            try await policies()
        }
    }

    @MainActor private static func published() async throws {
        try await Live.show("/public/model_hub") { try await PublicModelHubManager().load() }
        try await Live.show("/public/agent_hub") { try await GetAgentsPublicAgentHubGetManager().load() }
        try await Live.show("/public/mcp_hub") { try await GetMcpServersManager().load() }
        try await Live.show("/public/model_hub/info") { try await PublicModelHubInfoManager().load() }
        try await Live.show("/public/providers") { try await GetSupportedProvidersManager().load() }
        try await Live.show("/public/providers/fields") { try await GetProviderFieldsManager().load() }
        try await Live.show("/public/complexity_router/scorer_defaults") {
            try await GetComplexityScorerDefaultsManager().load()
        }
        try await Live.show("/public/complexity_router/fuse_presets") {
            try await GetPublicFusePresetsManager().load()
        }
        try await Live.show("/public/autorouter_presets") {
            try await GetPublicAutorouterPresetsManager().load()
        }
        try await Live.show("/public/endpoints") { try await GetSupportedEndpointsManager().load() }
        try await Live.show("/public/agents/fields") { try await GetAgentFieldsManager().load() }
        try await Live.show("/public/v1/model_hub") { try await PublicModelHubListManager().load() }
        try await Live.show("/.well-known/litellm-ui-config") {
            try await GetUIConfigWellKnownLitellmUIConfigGetManager().load()
        }
        try await Live.show("/.well-known/oauth-protected-resource") {
            try await OauthProtectedResourceRootManager().load()
        }
    }

    @MainActor private static func settings() async throws {
        try await Live.show("/health/deployment_warnings") { try await GetDeploymentWarningsManager().load() }
        try await Live.show("/get/internal_user_settings") {
            try await GetInternalUserSettingsManager().load()
        }
        try await Live.show("/get/default_team_settings") { try await GetDefaultTeamSettingsManager().load() }
        try await Live.show("/get/ui_theme_settings") { try await GetUIThemeSettingsManager().load() }
        try await Live.show("/auto_router/classifier/default_prompt") {
            try await GetAutoRouterClassifierDefaultPromptManager().load(with: .init())
        }
        try await Live.show("/config/block_requests_for_models_without_pricing") {
            try await GetBlockRequestsForModelsWithoutPricingManager().load()
        }
        try await Live.show("/router/settings") { try await GetRouterSettingsManager().load() }
        try await Live.show("/router/fields") { try await GetRouterFieldsManager().load() }
        try await Live.show("/cache/settings") { try await GetCacheSettingsManager().load() }
        try await Live.show("/coordination_redis/settings") {
            try await GetCoordinationRedisSettingsManager().load()
        }
        try await Live.show("/telemetry/settings") { try await GetTelemetrySettingsManager().load() }
        try await Live.show("/telemetry/ui_events/enabled") { try await UIEventsEnabledManager().load() }
        try await Live.show("/guardrails/ui/add_guardrail_settings") {
            try await GetGuardrailUISettingsManager().load()
        }
        try await Live.show("/prompts/list") { try await ListPromptsManager().load(with: .init()) }
    }

    @MainActor private static func lists() async throws {
        try await Live.show("/v1/model/deprecations") {
            try await ModelDeprecationsV1ModelDeprecationsGetManager().load(with: .init())
        }
        try await Live.show("/team/metadata_schema") { try await GetTeamMetadataSchemaManager().load() }
        try await Live.show("/get/user_banner") { try await GetUserBannerManager().load() }
        try await Live.show("/lens/service") { try await ServiceConnectionManager().load() }
        try await Live.show("/api/plugins") { try await ListPluginsAPIPluginsGetManager().load() }
        try await Live.show("/guardrails/list") { try await ListGuardrailsManager().load() }
        try await Live.show("/guardrails/usage/logs") {
            try await GuardrailsUsageLogsManager().load(with: .init())
        }
        try await Live.show("/guardrails/usage/overview") {
            try await GuardrailsUsageOverviewManager().load(with: .init())
        }
        try await Live.show("/policy/list") { try await ListPoliciesPolicyListGetManager().load() }
        try await Live.show("/policy/templates") { try await GetPolicyTemplatesManager().load() }
        try await Live.show("/policies/attachments/list") { try await ListPolicyAttachmentsManager().load() }
        try await Live.show("/policies/list") {
            try await ListPoliciesPoliciesListGetManager().load(with: .init())
        }
        try await Live.show("/v1/agents") { try await GetAgentsV1AgentsGetManager().load(with: .init()) }
        try await Live.show("/v1/agents/identity/providers") {
            try await GetAgentIdentityProvidersManager().load()
        }
        try await Live.show("/vector_store/list") {
            try await ListVectorStoresVectorStoreListGetManager().load(with: .init())
        }
        try await Live.show("/v1/tool/policy/options") { try await GetToolPolicyOptionsManager().load() }
        try await Live.show("/v1/mcp/server") { try await FetchAllMcpServersManager().load(with: .init()) }
        try await Live.show("/v1/mcp/sessions") { try await GetMcpGatewaySessionsManager().load() }
        try await Live.show("/mcp-rest/tools/list") { try await ListToolRestAPIManager().load(with: .init()) }
    }

    @MainActor private static func models() async throws {
        try await Live.show("count") {
            try await TokenCounterManager().load(
                with: .init(
                    body: .init(model: "mock-gpt", messages: [["role": "user", "content": "春眠 \u{1F642}"]]),
                    callEndpoint: false))
        }
        try await Live.show("count prompt") {
            try await TokenCounterManager().load(with: .init(body: .init(model: "mock-gpt", prompt: "hi")))
        }
        try await Live.show("transform") {
            try await TransformRequestManager().load(
                with: .init(
                    body: .init(
                        callType: .completion,
                        requestBody: [
                            "model": "gpt-4o", "messages": [["role": "user", "content": "春"]],
                            "temperature": 0.5, "stop": nil,
                        ])))
        }
        try await Live.show("responses") {
            try await ResponsesAPIV1ResponsesPostManager().load(
                with: .init(body: .init(input: .string("hi"), model: "mock-gpt")))
        }
        try await Live.show("responses more") {
            try await ResponsesAPIV1ResponsesPostManager().load(
                with: .init(
                    body: .init(
                        input: .string("hi"), model: "mock-gpt", metadata: ["k": "v"], temperature: 0.25,
                        toolChoice: .option1(.auto))))
        }
        try await Live.show("chat") {
            try await ChatCompletionV1ChatCompletionsPostManager().load(
                with: .init(
                    body: .init(
                        messages: [
                            .chatCompletionUserMessage(.init(content: .string("春眠"), role: .user)),
                            .chatCompletionSystemMessage(.init(content: .string("s"), role: .system)),
                        ], model: "mock-gpt")))
        }
        try await Live.show("embeddings") {
            try await EmbeddingsV1EmbeddingsPostManager().load(
                with: .init(body: .init(model: "mock-embed", input: ["hi"])))
        }
        try await Live.show("spend") {
            try await CalculateSpendManager().load(
                with: .init(body: .init(messages: [["role": "user", "content": "春"]], model: "gpt-4o")))
        }
        try await Live.show("cost") {
            try await EstimateCostManager().load(
                with: .init(
                    body: .init(inputTokens: 1000, model: "mock-gpt", outputTokens: 3, numRequestsPerDay: 100)
                ))
        }
        try await Live.show("policy validate") {
            try await ValidatePolicyManager().load(
                with: .init(
                    body: .init(policies: ["p": ["guardrails": ["add": ["x"]]], "bad": ["inherit": "none"]])))
        }
        try await Live.show("policy test") {
            try await TestPolicyMatchingManager().load(with: .init(body: .init(model: "x", tags: ["茶"])))
        }
    }

    @MainActor private static func policies() async throws {
        try await Live.show("policy template test") {
            try await TestPolicyTemplateManager().load(
                with: .init(
                    body: .init(
                        guardrailDefinitions: [
                            [
                                "guardrail_name": "pii",
                                "litellm_params": [
                                    "guardrail": "litellm_content_filter", "mode": "pre_call",
                                ],
                            ]
                        ], text: "hello 茶")))
        }
        try await Live.show("gdpr") {
            try await CheckGdprComplianceManager().load(
                with: .init(
                    body: .init(
                        requestID: "1",
                        guardrailInformation: [["guardrail_name": "g", "guardrail_mode": "pre_call"]],
                        timestamp: "2026-01-01T00:00:00Z")))
        }
        try await Live.show("eu") {
            try await CheckEuAiActComplianceManager().load(with: .init(body: .init(requestID: "1")))
        }
        try await Live.show("preview") {
            try await PreviewAutoRouterClassifierPromptManager().load(
                with: .init(body: .init(contextWindowSize: 3, tierLabels: ["SIMPLE": "简单"])))
        }
        try await Live.show("custom code") {
            try await TestCustomCodeGuardrailManager().load(
                with: .init(
                    body: .init(
                        customCode:
                            "def apply_guardrail(inputs, request_data, input_type):\n    return allow()",
                        testInput: ["texts": ["hi"]])))
        }
        try await Live.show("custom code wrong") {
            try await TestCustomCodeGuardrailManager().load(
                with: .init(body: .init(customCode: "x", testInput: [:])))
        }
        try await Live.show("cache test") {
            try await TestCacheConnectionManager().load(
                with: .init(body: .init(cacheSettings: ["type": nil, "n": 1.5])))
        }
        try await Live.show("key health") { try await KeyHealthManager().load() }
        try await Live.show("model") {
            try await ModelInfoModelsModelIDGetManager().load(
                with: .init(modelID: "mock-gpt", healthyOnly: false))
        }
        try await Live.show("models info") {
            try await ModelInfoV1V1ModelInfoGetManager().load(with: .init())
        }
        try await Live.show("facet") {
            try await PublicModelHubFacetManager().load(with: .init(facet: .providers))
        }
        try await Live.show("params") {
            try await SupportedOpenaiParamsManager().load(with: .init(model: "gpt-4o"))
        }
        let missing = try await Live.refused(.http(status: 422)) {
            try await TokenCounterManager().load(with: ["body": ["nonsense": true] as JSONValue])
        }
        try await Live.expect {
            TokenCounterManager.failure(in: missing)?.detail?.first?.msg == "Field required"
        }
    }
}
