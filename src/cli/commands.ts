import yargs from 'yargs'
import { version } from '../../package.json'
import { toYargsCommand } from './command.ts'
import { assumptionsCommand } from './commands/assumptions.ts'
import { caseCommand } from './commands/case.ts'
import { checkCommand } from './commands/check.ts'
import { clockCommand } from './commands/clock.ts'
import { configCommand } from './commands/config.ts'
import { fixturesCommand } from './commands/fixtures.ts'
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
import { typesCommand } from './commands/types.ts'
import { verifyCommand } from './commands/verify.ts'
import { completeNames } from './commands/completions.ts'
import { UsageError } from './errors.ts'
import { configFlag } from './flags/config.ts'
import { assertSwitches } from './flags/flags.ts'
import type { Terminal } from './terminal.ts'
import { explainMistake } from './flags/unknown-flags.ts'

const widest = 80

export async function runWithYargs(words: readonly string[], terminal: Terminal): Promise<void> {
  if (await completeNames(words, terminal)) return
  assertSwitches(words, ['help', 'version'])
  await yargs()
    .scriptName('greenhouse-mock')
    .usage('$0 <command>\n\nA local mock of the plant store and app management APIs.')
    .command(toYargsCommand(terminal, serveCommand))
    .command(toYargsCommand(terminal, runCommand))
    .command(toYargsCommand(terminal, flipCommand))
    .command(toYargsCommand(terminal, checkCommand))
    .command(toYargsCommand(terminal, configCommand))
    .command(toYargsCommand(terminal, fixturesCommand))
    .command(toYargsCommand(terminal, typesCommand))
    .command(toYargsCommand(terminal, statusCommand))
    .command(toYargsCommand(terminal, logCommand))
    .command(toYargsCommand(terminal, scenarioCommand))
    .command(toYargsCommand(terminal, caseCommand))
    .command(toYargsCommand(terminal, clockCommand))
    .command(toYargsCommand(terminal, recordsCommand))
    .command(toYargsCommand(terminal, resetCommand))
    .command(toYargsCommand(terminal, triggerCommand))
    .command(toYargsCommand(terminal, assumptionsCommand))
    .command(toYargsCommand(terminal, routesCommand))
    .command(toYargsCommand(terminal, openapiCommand))
    .command(toYargsCommand(terminal, verifyCommand))
    .option('config', configFlag)
    .completion('completion', 'Print a completion script for bash or zsh')
    .demandCommand(1, 'A command is missing.')
    .strict()
    .version(version)
    .help()
    .alias('h', 'help')
    .wrap(Math.min(widest, terminal.stdout.columns || widest))
    .exitProcess(false)
    .fail((message, error, current) => {
      if (error && error.name !== 'YError') throw error
      throw new UsageError(explainMistake(message ?? error.message, words, current))
    })
    // With a callback, yargs does not print help and version itself.
    .parseAsync([...words], {}, (_error, _args, output) => {
      if (output !== '') terminal.stdout.write(`${output}\n`)
    })
}
