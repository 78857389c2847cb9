import type { CommandModule } from 'yargs'
import { startCommand } from '../child.ts'
import { toCommandEnvironment } from '../command-environment.ts'
import { endProcess } from '../ending.ts'
import { exitCode, reportError, UsageError } from '../errors.ts'
import { logRequests } from '../request-log.ts'
import { serveFlags, type ServeArguments } from '../serve-flags.ts'
import { startServing } from '../serving.ts'
import { withFlags } from '../yargs-flags.ts'

/** With what stands after `--`. */
type RunArguments = ServeArguments & { '--'?: string[] }

export const runCommand: CommandModule<object, RunArguments> = {
  command: 'run',
  describe: 'Serve both APIs while a command runs: greenhouse run [options] -- COMMAND',
  builder: (args) =>
    withFlags(args, serveFlags({ port: 0, log: 'silent' }))
      .parserConfiguration({ 'populate--': true })
      .example('$0 run -- npx vitest run', 'Run tests against a server of their own')
      .example("$0 run -- 'npm run build && npm test'", 'One argument with spaces in it goes to a shell')
      .epilogue(
        'The command finds PLANTS_BASE_URL, APPS_BASE_URL, GREENHOUSE_URL (and GREENHOUSE_TOKEN, where there is one), and a key of each plan in GREENHOUSE_KEY_FREE, _LITE, _PRO and _PRO_PLUS. Its exit code becomes that of greenhouse. With --log, what greenhouse prints goes to stderr.',
      ),
  handler: runWithServer,
}

async function runWithServer(args: RunArguments): Promise<void> {
  const words = args['--'] ?? []
  if (words.length === 0) throw new UsageError('Name the command to run after "--": greenhouse run -- npm test')
  const serving = await startServing(args)
  const endLog = args.log === 'silent' ? undefined : logRequests(serving.greenhouse, args.log, process.stderr)
  const code = await startCommand(words, toCommandEnvironment(serving, args.token)).catch((error: unknown) => {
    reportError(error)
    return exitCode(error)
  })
  await endProcess(code, async () => {
    await serving.close()
    endLog?.()
  })
}
