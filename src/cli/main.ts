import { version } from '../../package.json'
import { DataError } from '../core/contract/problem.ts'
import { serveCommand } from './commands/serve.ts'
import {
  toExitCode,
  reportError,
  exitCodeAfterFlush,
  print,
  printError,
  reportWriteErrors,
  type Terminal,
  UsageError,
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

export type { OutputStream } from './terminal.ts'

export async function runOwnCommandLine() {
  // With NODE_USE_ENV_PROXY, `fetch` reads the variables of a proxy at each request. A proxy does not
  // reach this machine.
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
    // A process that runs out of work before it exits has this code.
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

/**
 * Resolves to the exit code. A command ends in one of two ways, and the first to come decides the
 * code: it returns or throws, or `exit` is called, as when a signal stops it.
 */
export function runCommandLine(
  words: readonly string[],
  surroundings: CommandLineTerminal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const exit = (code: number) => {
      // Where `exit` ends no process, as in a test, the command line is over nevertheless.
      resolve(code)
      surroundings.exit?.(code)
    }
    const terminal = { ...surroundings, exit }
    runToItsEnd(words, terminal).then(resolve, reject)
  })
}

/** Returns the exit code of a command that returns or throws. */
async function runToItsEnd(words: readonly string[], terminal: Terminal): Promise<number> {
  reportWriteErrors(terminal, toCommandName(words[0]))
  let code = 0
  try {
    await runCommand(words, terminal)
  } catch (error) {
    reportError(terminal, error)
    // Mistakes in files are what `check` looks for.
    const isFindingOfCheck = error instanceof DataError && nameIn(words) === 'check'
    code = isFindingOfCheck ? 1 : toExitCode(error)
  }
  return exitCodeAfterFlush(terminal, code)
}

function toCommandName(first: string | undefined): string {
  if (first === undefined || first.startsWith('-')) return 'greenhouse-mock'
  return `greenhouse-mock ${first}`
}

async function runCommand(words: readonly string[], terminal: Terminal) {
  printError(terminal, await describeUnknownVariables(Object.keys(terminal.env)))
  const name = nameIn(words)
  const commands = await loadCommands(name)
  // Without a word, the mistake is shown together with what could have been written.
  if (words.length === 0) {
    const { toHelp } = await loadHelp()
    throw new UsageError(`A command is missing.\n\n${toHelp([], commands, terminal)}`)
  }
  const { chain, given, others } = readWords(words, commands, name)
  if (given['help']) return print(terminal, (await loadHelp()).toHelp(chain, commands, terminal))
  if (given['version']) return print(terminal, `${version}\n`)
  // The last word of a chain, such as `use` in `scenario use`, is the command that runs.
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

/** A start of `serve` needs no help. */
const loadHelp = () => import('./help.ts')

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
