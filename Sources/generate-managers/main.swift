import Foundation
import ManagerGenerator

exit(GenerateCommand.run(Array(CommandLine.arguments.dropFirst())))
