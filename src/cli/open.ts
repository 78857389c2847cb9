import { spawn } from 'node:child_process'
import { after } from '../core/time/clock.ts'
import { printError } from './print.ts'

/** How long a failure of what opens a page is still news, in milliseconds. */
const patience = 10_000

/** What opens a URL on each system, without a shell. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the user's browser. Prints a message when that fails, and continues. */
export function openPage(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const fail = (reason: string) => printError(`Failed to open the panel: ${reason}. Open ${url} yourself.\n`)
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
    fail(code === 'ENOENT' ? `${program} was not found on the PATH` : message),
  )
  const tellExit = (code: number | null) => {
    if (code !== 0) fail(`${program} ended with exit code ${code}`)
  }
  child.once('exit', tellExit)
  after(patience, () => child.off('exit', tellExit), false)
  child.unref()
}
