import { readServeWords, serveCommandFlags, serveUntilStopped } from './commands/serve.ts'
import { exitCode, reportError } from './errors.ts'
import { printError } from './print.ts'
import { describeMisspelt } from './variables.ts'

// A reader that went away (`| head -1`) is nobody to tell: what is left to print is dropped.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

/** A start of the server with words that are plainly right does without yargs. */
async function runCommand(words: readonly string[]): Promise<void> {
  const misspelt = describeMisspelt(Object.keys(process.env), serveCommandFlags)
  if (misspelt !== '') printError(misspelt)
  const served = words[0] === 'serve' ? readServeWords(words.slice(1)) : undefined
  if (served) return serveUntilStopped(served)
  const { runWithYargs } = await import('./commands.ts')
  await runWithYargs(words)
}

runCommand(process.argv.slice(2)).catch((error: unknown) => {
  reportError(error)
  process.exitCode = exitCode(error)
})
