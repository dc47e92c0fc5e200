// What the modules below declare is part of it: who imports it needs no other import.
@_exported public import DiscreteNetworkingCurl
@_exported public import DiscreteNetworkingHTTP
@_exported public import DiscreteNetworkingJSON
@_exported public import DiscreteNetworkingSupport
