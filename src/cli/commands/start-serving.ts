import { isLoopbackHost } from '../../core/http/loopback.ts'
import { describeKeys } from '../../control/start.ts'
import type { RunningServer } from '../../adapters/server.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { UsageError } from '../errors.ts'
import { describeUnchanged } from '../output/describe-kept.ts'
import { createFromArguments } from '../flags/greenhouse.ts'
import { loadAhead } from '../../node-http/load-ahead.ts'
import { guardConsole } from '../output/console-guard.ts'
import { printError } from '../output/print.ts'
import type { ServeArguments } from '../flags/serve.ts'
import type { Terminal } from '../terminal.ts'

/** A running server of a command. */
export interface Serving {
  readonly greenhouse: Greenhouse
  readonly server: RunningServer
  close(): Promise<void>
}

/** Starts a server with the options of the flags. @throws UsageError for an invalid flag; DataError for invalid files. */
export async function startServing(args: ServeArguments, terminal: Terminal): Promise<Serving> {
  assertGuarded(args)
  if (args.watch && args.fixtures === undefined && args.scenarios === undefined)
    throw new UsageError('--watch: needs a folder to watch. Name it with --fixtures or --scenarios.')
  const [greenhouse, { serve }] = await Promise.all([createFromArguments(args), import('../../adapters/server.ts')])
  const endGuard = guardConsole(terminal, greenhouse.redact)
  let server: RunningServer | undefined
  try {
    server = await serve(greenhouse, {
      port: args.port,
      host: args.host,
      allowHosts: args.allowHost,
      controlOrigins: args.controlOrigin,
      token: args.token,
      first: args.handlers === undefined ? undefined : await loadOwnHandlers(args.handlers, terminal),
    })
    const { url, close } = server
    const watching = args.watch ? await startWatching({ greenhouse, url }, args, terminal) : undefined
    const stopLoading = loadAhead([async () => terminal.limitGarbage?.()])
    return {
      greenhouse,
      server,
      close() {
        stopLoading()
        watching?.close()
        return close().finally(endGuard)
      },
    }
  } catch (error) {
    await server?.close()
    endGuard()
    throw error
  }
}

/** @throws UsageError if other machines could reach the control API without a token. */
export function assertGuarded({ host, token }: Pick<ServeArguments, 'host' | 'token'>): void {
  if (isLoopbackHost(host) || token !== undefined) return
  throw new UsageError(
    `--host ${host} lets other machines reach this server, its control API included. Set a secret with --token or GREENHOUSE_TOKEN, or leave out --host to serve this machine only.`,
  )
}

/** Loads the handlers of `--handlers`; from then on, their errors do not end the process. */
export async function loadOwnHandlers(file: string, terminal: Terminal) {
  const [{ loadHandlers }, { surviveUncaughtErrors }] = await Promise.all([
    import('../../adapters/own-handlers.ts'),
    import('../process/stay-up.ts'),
  ])
  surviveUncaughtErrors(file, terminal)
  return loadHandlers(file, (text) => terminal.stderr.write(text))
}

/** Reloads when files change. Errors go to stderr, whatever `--log` says; Greenhouse keeps what it loaded last. */
async function startWatching(
  { greenhouse, url }: { greenhouse: Greenhouse; url: string },
  { fixtures, scenarios, log, token }: ServeArguments,
  terminal: Terminal,
) {
  const { watchFolders } = await import('../../files/watch.ts')
  return watchFolders(greenhouse, {
    fixtures,
    scenarios,
    onReload: (kept) => {
      if (log === 'pretty') printError(terminal, 'Reloaded.\n')
      printError(terminal, describeUnchanged(kept, url, token !== undefined))
    },
    onError: (error) => printError(terminal, `${(error as Error).message}\nGreenhouse keeps what it loaded last.\n`),
  })
}

/** Returns the content of the ready line. */
export function describeStart({ greenhouse, server: { url } }: Pick<Serving, 'greenhouse' | 'server'>) {
  const { scenarios } = greenhouse.world('default')
  const keys = Object.fromEntries(describeKeys(greenhouse))
  return { plants_url: url, apps_url: `${url}/v1`, panel_url: toPanelUrl(url), keys, scenarios }
}

/** Returns the panel's URL, at a local address if the server listens everywhere. */
function toPanelUrl(url: string): string {
  const own = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  return `${own}/__greenhouse/`
}

export type ServingStart = ReturnType<typeof describeStart>
