import { openConfig, takeConfigFlag } from './flags/config.ts'
import { readServeWords, serveCommandFlags, serveUntilStopped } from './commands/serve.ts'
import { exitCode, reportError } from './errors.ts'
import { exitCodeAfterFlush, reportWriteErrors } from './output/lost-output.ts'
import { printError } from './output/print.ts'
import { DataError } from '../core/definitions/problem.ts'
import type { Terminal } from './terminal.ts'
import { describeMisspelt } from './flags/variables.ts'

type CommandLineTerminal = Omit<Terminal, 'exit'> & Partial<Pick<Terminal, 'exit'>>

export function runCommandLine(words: readonly string[], surroundings: CommandLineTerminal): Promise<number> {
  return new Promise((resolve) => {
    const exit = (code: number) => {
      resolve(code)
      surroundings.exit?.(code)
    }
    const terminal = { ...surroundings, exit }
    reportWriteErrors(terminal, toName(words))
    const toCode = (error: unknown) => {
      reportError(terminal, error)
      // Mistakes in files are what `check` looks for.
      const isFound = error instanceof DataError && takeConfigFlag(words, terminal.env).words[0] === 'check'
      return isFound ? 1 : exitCode(error)
    }
    void runCommand(words, terminal)
      .then(() => 0, toCode)
      .then((code) => exitCodeAfterFlush(terminal, code))
      .then(resolve)
  })
}

function toName([first]: readonly string[]): string {
  return first === undefined || first.startsWith('-') ? 'greenhouse-mock' : `greenhouse-mock ${first}`
}

/** Runs a command. A plain `serve` does not load yargs. */
async function runCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  const misspelt = describeMisspelt(Object.keys(terminal.env), serveCommandFlags)
  if (misspelt !== '') printError(terminal, misspelt)
  const { words: own, env } = takeConfigFlag(words, terminal.env)
  const configured = { ...terminal, words: own, env, config: await openConfig(own, { ...terminal, env }) }
  const served = own[0] === 'serve' ? readServeWords(own.slice(1), configured) : undefined
  if (served) return serveUntilStopped(served, configured)
  const { runWithYargs } = await import('./commands.ts')
  await runWithYargs(own, configured)
}
