import { version } from '../../package.json'
import { DataError } from '../core/contract/problem.ts'
import { serveCommand } from './commands/serve.ts'
import {
  exitCode,
  reportError,
  exitCodeAfterFlush,
  print,
  printError,
  reportWriteErrors,
  UsageError,
  type Terminal,
} from './terminal.ts'
import {
  describeMisspelt,
  openConfig,
  proxyFlags,
  serveCommandFlags,
  withConfigFlag,
  withoutProxy,
} from './flags/flags.ts'
import { startGuard } from './process/shutdown.ts'
import { takeStdout, withSafeWrites } from './process/safe-streams.ts'
import { nameIn, readWords } from './words.ts'
import type { Command } from './command.ts'

export { runCommandLine }
export type { OutputStream } from './terminal.ts'

export async function runOwnCommandLine() {
  // `fetch` reads them at each request with NODE_USE_ENV_PROXY. A proxy does not reach this
  // machine.
  Object.assign(process.env, withoutProxy(process.env, ['localhost', '127.0.0.1', '[::1]', '::1']))
  const { env, stderr } = process
  // The command `mcp` speaks a protocol there.
  const stdout = process.argv.includes('mcp') ? takeStdout(process) : withSafeWrites(process.stdout)
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env,
    stdin: {
      // Reading `stdin` opens it, so it is read only on demand.
      get isTTY() {
        return process.stdin.isTTY
      },
      get stream() {
        return process.stdin
      },
    },
    stdout,
    stderr: withSafeWrites(stderr),
    stdio: 'inherit',
    signals: process,
    exit: (code) => process.exit(code),
    willExit: (code) => (process.exitCode = code),
    // The data has a limit, but by default V8 lets the heap grow to about twice that before it
    // collects. It also creates entries of the journal in the old generation, where dropped ones
    // keep younger objects alive: a fifth of the time of a request.
    limitGarbage: async () =>
      process
        .getBuiltinModule('node:v8')
        .setFlagsFromString('--heap-growing-percent=20 --no-allocation-site-pretenuring'),
    startGuard: () => startGuard(env),
  })
}

type CommandLineTerminal = Omit<Terminal, 'exit'> & { readonly exit?: Terminal['exit'] }

function runCommandLine(
  words: readonly string[],
  surroundings: CommandLineTerminal,
): Promise<number> {
  return new Promise((resolve) => {
    const exit = (code: number) => {
      resolve(code)
      surroundings.exit?.(code)
    }
    const terminal = { ...surroundings, exit }
    const [first = '-'] = words
    reportWriteErrors(terminal, `greenhouse-mock${first.startsWith('-') ? '' : ` ${first}`}`)
    const toCode = (error: unknown) => {
      reportError(terminal, error)
      // Mistakes in files are what `check` looks for.
      const isFindingOfCheck = error instanceof DataError && nameIn(words) === 'check'
      return isFindingOfCheck ? 1 : exitCode(error)
    }
    void runCommand(words, terminal)
      .then(() => 0, toCode)
      .then((code) => exitCodeAfterFlush(terminal, code))
      .then(resolve)
  })
}

/**
 * A start of `serve` loads the flags of other commands only for a variable that its own do not
 * know.
 */
async function describeUnknownVariables(variables: readonly string[]): Promise<string> {
  const flags = { ...serveCommandFlags, ...proxyFlags }
  if (describeMisspelt(variables, flags) === '') return ''
  const { gateFlags } = await import('./flags/gates.ts')
  return describeMisspelt(variables, { ...flags, ...gateFlags })
}

/**
 * A start of `serve` loads no other command, and a command that is made by hand none of those that
 * are made from actions.
 */
async function loadCommands(name: string | undefined): Promise<readonly Command[]> {
  if (name === 'serve') return [serveCommand]
  const { commands } = await import('./commands.ts')
  const handWritten = commands.find((command) => command.name === name)
  if (handWritten && !handWritten.subcommands) return commands
  return (await import('./commands/actions.ts')).withActions(commands, name)
}

async function runCommand(words: readonly string[], terminal: Terminal) {
  printError(terminal, await describeUnknownVariables(Object.keys(terminal.env)))
  const name = nameIn(words)
  const commands = await loadCommands(name)
  if (words.length === 0)
    throw new UsageError(
      `A command is missing.\n\n${(await import('./help.ts')).toHelp([], commands, terminal)}`,
    )
  const { chain, given, others } = readWords(words, commands, name)
  if (given['help'])
    return print(terminal, (await import('./help.ts')).toHelp(chain, commands, terminal))
  if (given['version']) return print(terminal, `${version}\n`)
  const command = chain.at(-1)!
  const env = withConfigFlag(given, terminal.env)
  const config = await openConfig(command.config, { ...terminal, env })
  await command.run(given, others, {
    ...terminal,
    given: Object.keys(given),
    env,
    config,
  })
}
