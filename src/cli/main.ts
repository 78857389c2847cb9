import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { version } from '../../package.json'
import { assumptionsCommand } from './commands/assumptions.ts'
import { checkCommand } from './commands/check.ts'
import { routesCommand } from './commands/routes.ts'
import { scenarioCommand } from './commands/scenario.ts'
import { serveCommand } from './commands/serve.ts'
import { exitCode, reportError, UsageError } from './errors.ts'

const cli = yargs(hideBin(process.argv))
  .scriptName('greenhouse')
  .usage('$0 <command>\n\nA local mock of the plant store and app management APIs.')
  .command(serveCommand)
  .command(checkCommand)
  .command(scenarioCommand)
  .command(assumptionsCommand)
  .command(routesCommand)
  .demandCommand(1, 'Name a command.')
  .strict()
  .version(version)
  .help()
  .alias('h', 'help')
  .exitProcess(false)
  .fail((message, error) => {
    throw error ?? new UsageError(message)
  })

try {
  await cli.parseAsync()
} catch (error) {
  reportError(error)
  process.exitCode = exitCode(error)
}
