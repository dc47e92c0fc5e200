// Users import `DiscreteNetworking` alone: what the modules below it declare is part of it.
@_exported public import DiscreteNetworkingCurl
@_exported public import DiscreteNetworkingHTTP
@_exported public import DiscreteNetworkingJSON
@_exported public import DiscreteNetworkingSupport
