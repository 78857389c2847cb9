import yargs from 'yargs'
import { version } from '../../package.json'
import { assumptionsCommand } from './commands/assumptions.ts'
import { checkCommand } from './commands/check.ts'
import { clockCommand } from './commands/clock.ts'
import { flipCommand } from './commands/flip.ts'
import { logCommand } from './commands/log.ts'
import { openapiCommand } from './commands/openapi.ts'
import { recordsCommand } from './commands/records.ts'
import { resetCommand } from './commands/reset.ts'
import { routesCommand } from './commands/routes.ts'
import { runCommand } from './commands/run.ts'
import { scenarioCommand } from './commands/scenario.ts'
import { serveCommand } from './commands/serve.ts'
import { statusCommand } from './commands/status.ts'
import { triggerCommand } from './commands/trigger.ts'
import { verifyCommand, verifySwitches } from './commands/verify.ts'
import { UsageError } from './errors.ts'
import { assertSwitches } from './flags.ts'
import { withSuggestions } from './unknown-flags.ts'

/** Reads and runs any command line, help and what is wrong with it included. @param words what stands after `greenhouse`. @throws UsageError for a wrong one, and what the command throws. */
export async function runWithYargs(words: readonly string[]): Promise<void> {
  assertSwitches(words, [
    'trace',
    'strict',
    'watch',
    'fail-on-violations',
    'malformations',
    'all',
    'frozen',
    'open',
    'json',
    'follow',
    'wait',
    'errors',
    'violations',
    'all-worlds',
    ...verifySwitches,
    'help',
    'version',
  ])
  await yargs([...words])
    .scriptName('greenhouse')
    .usage('$0 <command>\n\nA local mock of the plant store and app management APIs.')
    .command(serveCommand)
    .command(runCommand)
    .command(flipCommand)
    .command(checkCommand)
    .command(statusCommand)
    .command(logCommand)
    .command(scenarioCommand)
    .command(clockCommand)
    .command(recordsCommand)
    .command(resetCommand)
    .command(triggerCommand)
    .command(assumptionsCommand)
    .command(routesCommand)
    .command(openapiCommand)
    .command(verifyCommand)
    .demandCommand(1, 'Name a command.')
    .strict()
    .recommendCommands()
    .version(version)
    .help()
    .alias('h', 'help')
    .exitProcess(false)
    .fail((message, error, current) => {
      throw error ?? new UsageError(withSuggestions(message, words, current))
    })
    .parseAsync()
}
