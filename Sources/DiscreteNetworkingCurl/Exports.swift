// The public API of this module uses types of this module.
@_exported public import DiscreteNetworkingHTTP
