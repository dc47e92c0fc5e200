// The public API of this module uses types of these modules.
@_exported public import DiscreteNetworkingJSON
@_exported public import DiscreteNetworkingSupport
