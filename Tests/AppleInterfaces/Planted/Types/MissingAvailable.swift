// visionOS 1 has it.
import DiscreteNetworking
import Observation

#if !os(visionOS)
    @MainActor
    func follow(_ manager: BaseAPIManager) {
        // finds: 'withObservationTracking(_:onChange:)' is only available in
        withObservationTracking {
            _ = manager.isLoading
        } onChange: {
        }
    }
#endif
