/// The cookies of an ``EnvironmentService``: each environment has cookies of its own.
extension CookieJar: DividedByEnvironment {
    func makePart(in environment: String) -> CookieJar { CookieJar(part: environment, of: self) }
    func moveStore(to environment: String) { persistence?.move(to: environment) }
}
