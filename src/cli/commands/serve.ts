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
import { describeRecording, toBanner } from '../output/serving.ts'
import { openPage } from '../process/open-page.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { print, printError, printJson, type Terminal, UsageError } from '../terminal.ts'
import { describeStart, startServing } from './start-serving.ts'

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
