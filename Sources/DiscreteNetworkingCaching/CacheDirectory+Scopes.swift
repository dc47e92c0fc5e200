/// The two levels of directories of a disk cache.
extension CacheDirectory {
    func folder(of key: CacheFileKey, makes: Bool) -> CacheDirectory? {
        folder(key.service, makes: makes)?.folder(key.endpoint, makes: makes)
    }

    /// Removes the responses in a scope, including unfinished ones, and directories that become empty.
    func remove(_ scope: CacheScope) {
        switch scope {
        case .all: for name in names where CacheFileName.isDigest(name) { removeService(name) }
        case .service(let service): removeService(CacheKey.service(service))
        case .endpoint(let service, let methodName):
            folder(CacheKey.service(service), makes: false)?
                .removeEndpoint(CacheKey.endpoint(service, methodName: methodName))
        case .key(let key):
            let key = CacheFileKey(key)
            folder(of: key, makes: false)?.remove(CacheFileName.response(key))
        }
    }

    private func removeService(_ name: String) {
        guard let service = folder(name, makes: false) else { return }
        for endpoint in service.names where CacheFileName.isDigest(endpoint) {
            service.removeEndpoint(endpoint)
        }
        remove(name)
    }

    private func removeEndpoint(_ name: String) {
        guard let endpoint = folder(name, makes: false) else { return }
        for file in endpoint.names where CacheFileName(file) != nil { endpoint.remove(file) }
        remove(name)
    }
}
