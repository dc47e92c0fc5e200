// Users import `DiscreteNetworking` alone: what the modules below it declare is part of it.
@_exported public import DiscreteNetworkingCaching
@_exported public import DiscreteNetworkingCookies
@_exported public import DiscreteNetworkingCore
@_exported public import DiscreteNetworkingResilience
@_exported public import DiscreteNetworkingTraffic
@_exported public import DiscreteNetworkingTransfers
