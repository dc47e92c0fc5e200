import Foundation
import StorefrontKit

exit(await ContractCommand.run(Array(CommandLine.arguments.dropFirst()), console: .standard))
