import { afterIfAlive } from '../../core/time/clock.ts'
import { printError, type Terminal } from '../terminal.ts'

/**
 * How long the end of the program that opens the page is watched, in milliseconds. Later, a person
 * has closed the browser.
 */
const reportWindow = 10_000

const openers: Record<string, readonly [program: string, ...args: string[]]> = {
  darwin: ['open'],
  // `cmd /c start` would interpret `&` and `%` in the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openPage(
  terminal: Pick<Terminal, 'stderr' | 'env'>,
  url: string,
  platform: string = process.platform,
) {
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  const fail = (reason: string) =>
    printError(terminal, `Failed to open the panel: ${reason}. Open ${url} yourself.\n`)
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(program, [...args, url], {
    stdio: 'ignore',
    detached: true,
    env: terminal.env,
  })
  child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
    fail(code === 'ENOENT' ? `${program} was not found on the PATH` : message),
  )
  const reportExit = (code: number | null) => {
    if (code !== 0) fail(`${program} ended with exit code ${code}`)
  }
  child.once('exit', reportExit)
  afterIfAlive(reportWindow, () => child.off('exit', reportExit))
  child.unref()
}
