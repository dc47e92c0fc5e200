import Foundation
import StorefrontKit

exit(await StorefrontCommand.run(CommandLine.arguments.dropFirst(), console: .standard))
