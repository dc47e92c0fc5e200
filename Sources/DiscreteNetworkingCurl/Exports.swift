// Whoever makes a CurlTransport names requests, responses and a TLSPolicy, too.
@_exported public import DiscreteNetworkingHTTP
