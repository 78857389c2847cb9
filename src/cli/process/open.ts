import { spawn } from 'node:child_process'
import { after } from '../../core/time/clock.ts'
import { printError, type Terminal } from '../terminal.ts'

/** How long a failure is still reported, in milliseconds. */
const reportWindow = 10_000

const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `cmd /c start` would interpret `&` and `%` in the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Returns the command that opens a URL, without a shell: the URL is one argument. */
export function toOpenCommand(url: string, platform: string): readonly [program: string, ...args: string[]] {
  return [...(openers[platform] ?? ['xdg-open']), url] as [string, ...string[]]
}

export function openPage(
  terminal: Pick<Terminal, 'stderr' | 'env'>,
  url: string,
  platform: string = process.platform,
): void {
  const [program, ...args] = toOpenCommand(url, platform)
  const fail = (reason: string) => printError(terminal, `Failed to open the panel: ${reason}. Open ${url} yourself.\n`)
  const child = spawn(program, args, { stdio: 'ignore', detached: true, env: terminal.env })
  child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
    fail(code === 'ENOENT' ? `${program} was not found on the PATH` : message),
  )
  const reportExit = (code: number | null) => {
    if (code !== 0) fail(`${program} ended with exit code ${code}`)
  }
  child.once('exit', reportExit)
  after(reportWindow, () => child.off('exit', reportExit), false)
  child.unref()
}
