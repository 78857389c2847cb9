import type { LogArguments } from '../../flags/log.ts'
import { createControlClient, UnreachableError } from '../../control-client.ts'
import { delay } from '../../process/delay.ts'
import { shutDown, waitForSignal } from '../../process/shutdown.ts'
import { exitCodeAfterFlush } from '../../output/lost-output.ts'
import { printError } from '../../output/print.ts'
import { toTarget } from '../../flags/server.ts'
import type { Terminal } from '../../terminal.ts'
import { createPrint } from './output.ts'
import { createTail } from './tail.ts'

/** The pause before reconnecting, in milliseconds. */
const pause = 500

export async function followLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  void waitForSignal(terminal).then(() => ending.abort())
  const client = createControlClient(toTarget(args, terminal))
  const print = createPrint(terminal.stdout, () => ending.abort())
  const tail = createTail(client, args, { terminal, print, signal })
  let isConnected: boolean | undefined
  const welcome = () => {
    if (isConnected === false) printError(terminal, `The server at ${client.server} is back.\n`)
    isConnected = true
  }
  while (!signal.aborted) {
    try {
      await tail.read(welcome)
    } catch (error) {
      if (!signal.aborted && (!(error instanceof UnreachableError) || (isConnected === undefined && !args.wait)))
        throw error
    }
    if (signal.aborted) break
    if (!args.wait) {
      printError(
        terminal,
        `The server at ${client.server} went away. With --wait, greenhouse-mock log --follow waits for it.\n`,
      )
      return shutDown(terminal, 1, async () => {})
    }
    if (isConnected !== false) printError(terminal, `Waiting for the server at ${client.server}.\n`)
    isConnected = false
    tail.reset()
    await delay(pause, signal)
  }
  await shutDown(terminal, 0, () => exitCodeAfterFlush(terminal, 0))
}
