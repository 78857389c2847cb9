import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { version } from '../../package.json'
import { assumptionsCommand } from './commands/assumptions.ts'
import { checkCommand } from './commands/check.ts'
import { routesCommand } from './commands/routes.ts'
import { runCommand } from './commands/run.ts'
import { scenarioCommand } from './commands/scenario.ts'
import { serveCommand } from './commands/serve.ts'
import { triggerCommand } from './commands/trigger.ts'
import { exitCode, reportError, UsageError } from './errors.ts'
import { assertSwitches } from './flags.ts'
import { withSuggestions } from './unknown-flags.ts'

// A reader that went away (`| head -1`) is nobody to tell: what is left to print is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

const cli = yargs(hideBin(process.argv))
  .scriptName('greenhouse')
  .usage('$0 <command>\n\nA local mock of the plant store and app management APIs.')
  .command(serveCommand)
  .command(runCommand)
  .command(checkCommand)
  .command(scenarioCommand)
  .command(triggerCommand)
  .command(assumptionsCommand)
  .command(routesCommand)
  .demandCommand(1, 'Name a command.')
  .strict()
  .recommendCommands()
  .version(version)
  .help()
  .alias('h', 'help')
  .exitProcess(false)
  .fail((message, error, current) => {
    throw error ?? new UsageError(withSuggestions(message, hideBin(process.argv), current))
  })

try {
  assertSwitches(hideBin(process.argv), ['trace', 'watch', 'malformations', 'help', 'version'])
  await cli.parseAsync()
} catch (error) {
  reportError(error)
  process.exitCode = exitCode(error)
}
