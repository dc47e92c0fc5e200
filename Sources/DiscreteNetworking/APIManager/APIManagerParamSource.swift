/// Where the arguments of a manager come from: a screen, usually.
///
/// Asked on every `loadData()` and `load()` that is not given params. A manager that conforms itself is
/// its own source until another one is assigned.
@MainActor
public protocol APIManagerParamSource: AnyObject {
    /// The arguments of the call about to be made. One source may serve several managers.
    func params(for manager: BaseAPIManager) -> Params
}
