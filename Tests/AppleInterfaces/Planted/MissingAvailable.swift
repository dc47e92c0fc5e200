// finds, but not on visionOS 1, which has it: 'withObservationTracking(_:onChange:)' is only available in
import DiscreteNetworking
import Observation

@MainActor
func follow(_ manager: BaseAPIManager) {
    withObservationTracking {
        _ = manager.isLoading
    } onChange: {
    }
}
