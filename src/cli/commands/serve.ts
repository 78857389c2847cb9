import { parseArgs } from 'node:util'
import { quoteForShell, toVisibleJson } from '../../core/text/messages.ts'
import { defineCommand } from '../command.ts'
import { toFileSettings } from '../flags/config.ts'
import { type ArgumentsOf, type FileSettings, type Flags, resolveFlags, variablesEpilogue } from '../flags/flags.ts'
import { serveCommandFlags } from '../flags/serve.ts'
import { logRequests } from '../output/request-log.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { after } from '../../core/time/clock.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { describeStart, type ServingStart, startServing } from './start-serving.ts'

export const serveCommand = defineCommand({
  command: 'serve',
  describe: 'Serve both APIs until you stop it',
  flags: serveCommandFlags,
  settings: ({ config }) => toFileSettings(serveCommandFlags, config),
  epilogue: variablesEpilogue,
  run: serveUntilStopped,
})

export const readServeWords = (words: readonly string[], { env, config }: Pick<Terminal, 'env' | 'config'>) =>
  readPlainFlags(words, serveCommandFlags, env, toFileSettings(serveCommandFlags, config))

export async function serveUntilStopped(
  args: ArgumentsOf<typeof serveCommandFlags>,
  terminal: Terminal,
): Promise<void> {
  const serving = await startServing(args, terminal)
  const stopped = waitForSignal(terminal)
  const started = describeStart(serving)
  if (args.log === 'json') terminal.stdout.write(toVisibleJson(JSON.stringify({ event: 'ready', ...started })) + '\n')
  if (args.log === 'pretty') print(terminal, toBanner(started))
  const endLog = logRequests(serving.greenhouse, args.log, terminal.stdout, terminal.env)
  if (args.open) openPage(terminal, started.panel_url)
  await stopped
  await shutDown(terminal, 0, async () => {
    const code = await serving.close(true)
    endLog()
    return code
  })
}

function toBanner({ panel_url, plants_url, apps_url, areas, keys, scenarios }: ServingStart): string {
  const usable = Object.entries(keys).find(([, { note }]) => note === undefined)?.[0] ?? '<key>'
  const width = Math.max(...Object.keys(keys).map((key) => key.length), 0)
  const served = [
    { name: 'plants', title: 'Plants', url: plants_url, example: `'${plants_url}/plants?limit=3'` },
    { name: 'apps', title: 'Apps  ', url: apps_url, example: `${apps_url}/apps` },
  ].filter(({ name }) => areas.includes(name))
  return `  Panel   ${panel_url}
${served.map(({ title, url }) => `  ${title}  ${url}\n`).join('')}
Greenhouse is serving. Stop it with Ctrl-C.

Keys
${Object.entries(keys)
  .map(([key, { plan, note }]) => `  ${key.padEnd(width)}  ${plan}${note ? `, ${note}` : ''}`)
  .join('\n')}

Scenarios: ${scenarios.length > 0 ? scenarios.join(', ') : 'none active'}

Try
${served.map(({ example }) => `  curl -H ${quoteForShell(`Authorization: Bearer ${usable}`)} ${example}\n`).join('')}`
}

/**
 * Parses simple arguments without yargs, which takes 23 ms of each start (its code and its help). Returns `undefined`
 * for anything else (an unknown, repeated, invalid or empty flag, a positional word, `--help`): yargs then parses
 * everything, so there is one place for errors.
 */
export function readPlainFlags<F extends Flags>(
  words: readonly string[],
  flags: F,
  env: NodeJS.ProcessEnv,
  settings: FileSettings = {},
): ArgumentsOf<F> | undefined {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { type: 'isOn' in flag ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  try {
    const { values } = parseArgs({ args: [...words], options, allowNegative: true })
    const given = Object.entries(values as Record<string, string[] | boolean[]>)
    const isSwitch = (all: string[] | boolean[]) => typeof all[0] === 'boolean'
    if (!given.every(([, all]) => (isSwitch(all) ? all.length === 1 : all.every(isPlain)))) return undefined
    const plain = Object.fromEntries(given.map(([name, all]) => [name, isSwitch(all) ? all[0] : all]))
    return resolveFlags(flags, plain, env, settings)
  } catch {
    return undefined
  }
}

/** Whether yargs would leave a value unchanged: it removes quotes, and reads a leading dash as a flag or a number. */
function isPlain(value: string | boolean): boolean {
  return !/^$|^[-"']/.test(String(value))
}

/** How long a failure is still reported, in milliseconds. */
const reportWindow = 10_000

const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // `cmd /c start` would interpret `&` and `%` in the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openPage(
  terminal: Pick<Terminal, 'stderr' | 'env'>,
  url: string,
  platform: string = process.platform,
): void {
  const [program, ...args] = openers[platform] ?? ['xdg-open']
  const fail = (reason: string) => printError(terminal, `Failed to open the panel: ${reason}. Open ${url} yourself.\n`)
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: terminal.env })
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
