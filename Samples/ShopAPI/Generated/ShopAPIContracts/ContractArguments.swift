import DiscreteNetworking
import DiscreteNetworkingContracts

/// What the check calls endpoints with, where the description does not say it, or says it wrong. This file is
/// yours: generate-managers writes it once. The report names endpoints that need arguments.
let contractArguments: [(String, ContractArguments)] = []

/// Runs before the check, for example to log in.
@MainActor
func prepareContracts(_ proxy: ApiProxy) async throws {}
