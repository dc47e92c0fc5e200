public import DiscreteNetworkingCore

/// Fails for each member that a service does not implement itself.
///
/// ```swift
/// await assertOverrides(
///     of: StorefrontService.self, .extraHeaders, .envelope, .intercept)
/// await assertOverrides(
///     of: ClubService.self, .signer, madeBy: { ClubService(region: "cn") })
/// ```
///
/// If the signature of a method differs from the member's signature, the method compiles and is not used, such as
/// `func retryPolicy(for call: APICall) -> RetryPolicy?`. The failure has the declaration to write.
///
/// Each member is called once, with a call to no endpoint or its timeout. The service is new and stores nothing; see
/// ``/DiscreteNetworking/ServiceFactory/keepInMemory()``. A default implementation in a protocol of the app counts as one
/// of the service.
/// In a release build, the assertion fails, because the framework records nothing there.
/// - Parameters:
///   - type: The class of the service.
///   - members: The members that the service is meant to have.
///   - make: Creates the service. Default: `init()`.
@MainActor
public func assertOverrides(
    of type: any Service.Type, _ members: ServiceMember..., madeBy make: (() -> any Service)? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
) async {
    let place = TestLine(fileID: fileID, file: file, line: line)
    guard DefaultProbe.isRecording else {
        report("assertOverrides needs a debug build of DiscreteNetworking.", at: place)
        return
    }
    let storage = MemoryStorage()
    let service = MemoryStorage.within(storage) { make?() ?? type.init() }
    for member in members {
        let (probe, hasReturned) = (DefaultProbe(), Watched(false))
        let task = Task { @concurrent in
            await CallContext.within(storage: storage) {
                await probe.record { await member.call(service) }
            }
            hasReturned.withLock { $0 = true }
        }
        let name = "\(type).\(member.member)"
        await hasReturned.wait(within: 30, at: place, until: { $0 }, missing: { _ in "\(name) to return." })
        task.cancel()
        guard probe.noted.contains(member.member) else { continue }
        report(
            """
            \(type) has no \(member.member) of its own: the default of the framework is used. Write:
              \(member.declaration)
            A member with another result, other labels, or `async` or `throws` in another way compiles, and is not used.
            """, at: place)
    }
}
