import { existsSync } from 'node:fs'
import type { RecordingSummary } from '../../contract/recording/recording.ts'
import { defineCommand } from '../command.ts'
import {
  type ArgumentsOf,
  proxyFlags,
  type ServeArguments,
  serveCommandFlags,
  variablesEpilogue,
} from '../flags/flags.ts'
import { logRequests } from '../output/request-log.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { print, printError, printJson, type Terminal, UsageError } from '../terminal.ts'
import { describeStart, startServing, type ServingStart } from './start-serving.ts'
import { countOf, quoteForShell } from '../../core/text/messages.ts'
import { afterIfAlive } from '../../core/time/clock.ts'

export const serveCommand = defineCommand({
  command: 'serve',
  describe: 'Serve both APIs until you stop it',
  flags: serveCommandFlags,
  epilogue: variablesEpilogue,
  run: serveUntilStopped,
})

export const proxyCommand = defineCommand({
  command: 'proxy',
  describe: 'Stand in front of a real service: the same scenarios and journal, its replies',
  flags: { ...proxyFlags, ...serveCommandFlags },
  examples: [
    [
      'proxy --target-plants https://plants.example.com --scenario slow',
      'Make a real service slow',
    ],
    [
      "proxy --target-apps https://api.example.com/v1 --only 'apps.*' --fallback mock",
      'Mock what is not there yet',
    ],
    ['proxy --target-plants https://plants.example.com --record ./recorded', 'Record its replies'],
  ],
  epilogue: variablesEpilogue,
  async run(args, terminal) {
    const { targetPlants: plants, targetApps: apps, fallback, record, insecure } = args
    if (plants === undefined && apps === undefined)
      throw new UsageError('Name the service with --target-plants URL, --target-apps URL, or both.')
    const only = args.only.length > 0 ? args.only : undefined
    const { targetCa: ca, targetTimeout: timeout } = args
    const proxy = {
      plants,
      apps,
      only,
      fallback,
      record,
      ca,
      insecure,
      timeout,
    }
    await serveUntilStopped({ ...args, proxy }, terminal)
  },
})

async function serveUntilStopped(
  args: ArgumentsOf<typeof serveCommandFlags> & Pick<ServeArguments, 'proxy'>,
  terminal: Terminal,
) {
  await createScenariosFolder(args, terminal)
  const serving = await startServing(args, terminal)
  const stopped = waitForSignal(terminal)
  const started = await describeStart(serving)
  if (args.log === 'json')
    printJson(terminal, {
      event: 'ready',
      ...started,
    })
  if (args.log === 'pretty') print(terminal, toBanner(started))
  const endLog = logRequests(serving.greenhouse, args.log, terminal.stdout, terminal.env)
  if (args.open) openPage(terminal, started.panel_url)
  await stopped

  // The state is saved first: what comes next takes time, and may be cut off.
  const exitCode = serving.save()
  await shutDown(terminal, exitCode, async () => {
    const codeOfClosing = await serving.close(true)
    endLog()
    const recording = serving.server.recorded()
    if (recording) printRecording(recording, args.log, terminal)
    return recording?.failure === undefined ? codeOfClosing : 1
  })
}

async function createScenariosFolder({ scenarios }: ServeArguments, terminal: Terminal) {
  if (scenarios === undefined || existsSync(scenarios)) return
  const { createFolder } = await import('../files.ts')
  createFolder(scenarios)
  printError(terminal, `Created the folder ${scenarios}: scenarios of the panel are saved there.\n`)
}

function printRecording(
  recording: RecordingSummary,
  log: ServeArguments['log'],
  terminal: Terminal,
) {
  if (log === 'json')
    printJson(terminal, {
      event: 'recorded',
      ...recording,
    })
  if (log === 'pretty') print(terminal, describeRecording(recording))
}

function describeRecording({
  folder,
  service,
  replies,
  records,
  leftOut,
  failure,
}: RecordingSummary): string {
  if (failure !== undefined)
    return `Failed to write all of the recording in ${folder}: ${failure}.\n`
  const reasons = Object.entries(leftOut).map(([what, why]) => `${what} (${why})`)
  const missing = reasons.length === 0 ? '' : ` Not recorded: ${reasons.join(', ')}.`
  if (replies === 0) return `Recorded nothing of ${service}.${missing}\n`
  const withRecords = records === 0 ? '' : ` --fixtures ${quoteForShell(`${folder}/fixtures`)}`
  const serve = `npx greenhouse-mock serve --scenarios ${quoteForShell(`${folder}/scenarios`)} --scenario recorded${withRecords}`
  return `Recorded ${countOf(replies, 'request')} and ${countOf(records, 'record')} of ${service}.${missing} Serve them with: ${serve}\n`
}

function toBanner({
  panel_url,
  plants_url,
  apps_url,
  areas,
  keys,
  scenarios,
  targets,
}: ServingStart): string {
  const usable = Object.entries(keys).find(([, { note }]) => note === undefined)?.[0] ?? '<key>'
  const width = Math.max(...Object.keys(keys).map((key) => key.length), 0)
  const listed = targets
    ? ['  those of the service; the mock accepts a key once the service did']
    : Object.entries(keys).map(
        ([key, { plan, note }]) => `  ${key.padEnd(width)}  ${plan}${note ? `, ${note}` : ''}`,
      )
  const served = [
    {
      name: 'plants',
      title: 'Plants',
      url: plants_url,
      example: `'${plants_url}/plants?limit=3'`,
    },
    {
      name: 'apps',
      title: 'Apps  ',
      url: apps_url,
      example: `${apps_url}/apps`,
    },
  ].filter(({ name }) => areas.includes(name))
  const places = served.map(({ name, title, url }) => {
    const target = targets?.[name]
    return `  ${title}  ${url}${target === undefined ? '' : ` → ${target}`}`
  })
  const header = quoteForShell(`Authorization: Bearer ${usable}`)
  const lines = [
    `  Panel   ${panel_url}`,
    ...places,
    '',
    'Greenhouse is serving. Stop it with Ctrl-C.',
    '',
    'Keys',
    ...listed,
    '',
    `Scenarios: ${scenarios.join(', ') || 'none active'}`,
    '',
    'Try',
    ...served.map(({ example }) => `  curl -H ${header} ${example}`),
  ]
  return `${lines.join('\n')}\n`
}

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
