// Requests and responses have values of these modules in them.
@_exported public import DiscreteNetworkingJSON
@_exported public import DiscreteNetworkingSupport
