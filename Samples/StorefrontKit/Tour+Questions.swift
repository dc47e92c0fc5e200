import DiscreteNetworking

/// The part of the walk that meets a backend without codes for success.
extension Tour {
    func ask() async {
        await transcript.step("Read the questions of a product, without their answers", expecting: .success) {
            let questions = try await screen.questions.load(with: ["id": 3])
            let response = screen.questions.response
            return questions.questions + [
                response?.isPartial == true ? response?.businessMessage ?? "" : "complete"
            ]
        }
    }
}
