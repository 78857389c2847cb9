import type { Command } from '../command.ts'
import { startCommand } from '../process/child.ts'
import { toCommandEnvironment } from '../process/command-environment.ts'
import { shutDown } from '../process/shutdown.ts'
import { exitCode, reportError, UsageError } from '../errors.ts'
import { logRequests } from '../output/request-log.ts'
import * as values from '../flags/values.ts'
import type { ArgumentsOf, Flags } from '../flags/flags.ts'
import { printError } from '../output/print.ts'
import { serveFlags } from '../flags/serve.ts'
import { startServing } from './start-serving.ts'
import { variablesEpilogue } from '../flags/variables.ts'
import type { Terminal } from '../terminal.ts'
import { withFlags } from '../flags/yargs-flags.ts'

const flags = {
  ...serveFlags({ port: 0, log: 'silent' }),
  'fail-on-violations': {
    isOn: false,
    describe: 'Fail when a request of the command breaks the contract',
  },
  'ignore-violation': { each: values.violationRule, describe: 'Rule that --fail-on-violations ignores' },
} satisfies Flags

/** With the words after `--`. */
type RunArguments = ArgumentsOf<typeof flags> & { '--'?: string[] }

export const runCommand: Command<RunArguments> = {
  command: 'run',
  describe: 'Serve both APIs while a command runs: greenhouse-mock run [options] -- COMMAND',
  builder: (args, terminal) =>
    withFlags(args, flags, terminal.env)
      .parserConfiguration({ 'populate--': true })
      .example('$0 run -- npx vitest run', 'Run tests against their own server')
      .example("$0 run -- 'npm run build && npm test'", 'A single argument with spaces runs in a shell')
      .example('$0 run --fail-on-violations -- npm test', 'Fail when a request breaks the contract')
      .epilogue(
        'Sets PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL, GREENHOUSE_TOKEN (with --token), and a key of each plan in GREENHOUSE_KEY_FREE, _LITE, _PRO and _PRO_PLUS. Exits with the exit code of the command; with --fail-on-violations also with 1 when a request breaks the contract. --log prints to stderr. ' +
          variablesEpilogue,
      ),
  handler: runWithServer,
}

async function runWithServer(args: RunArguments, terminal: Terminal): Promise<void> {
  const words = args['--'] ?? []
  if (words.length === 0) throw new UsageError('Put the command to run after "--": greenhouse-mock run -- npm test')
  const serving = await startServing(args, terminal)
  const endLog =
    args.log === 'silent' ? undefined : logRequests(serving.greenhouse, args.log, terminal.stderr, terminal.env)
  const violations = args.failOnViolations
    ? (await import('../output/violation-summary.ts')).countViolations(serving.greenhouse, args.ignoreViolation)
    : undefined
  const env = toCommandEnvironment(serving, args.token, terminal.env)
  const { supervisor } = terminal
  const started = supervisor ? supervisor.startCommand(words, env) : startCommand(words, env, terminal)
  const code = await started.catch((error: unknown) => {
    reportError(terminal, error)
    return exitCode(error)
  })
  const toCode = () => (code === 0 && violations && violations.requests > 0 ? 1 : code)
  await shutDown(terminal, toCode(), async () => {
    // Replies that end now are counted too.
    await serving.close()
    endLog?.()
    violations?.end()
    printError(terminal, violations?.toText() ?? '')
    return toCode()
  })
}
