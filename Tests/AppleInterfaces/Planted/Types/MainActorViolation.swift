import DiscreteNetworking

func isBusy(_ manager: BaseAPIManager) -> Bool {
    // finds: main actor-isolated property 'isLoading' can not be referenced from a nonisolated context
    manager.isLoading
}
