import { targetsOf } from '../../api/options.ts'
import { isLoopbackHost, toServerBases } from '../../core/http/urls.ts'
import type { RunningServer } from '../../adapters/server.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import type { StateFile } from '../case/state.ts'
import { UsageError, guardConsole, printError, type Terminal } from '../terminal.ts'
import {
  sourcesOf,
  toGreenhouseOptions,
  toOwnUrl,
  withUsageErrors,
  type ServeArguments,
} from '../flags/flags.ts'
import { toShownPath } from '../../files/find-config.ts'
import { loadAhead } from '../../node-http/load-ahead.ts'
import { toPrintable } from '../../node-http/printable.ts'

/** A server, and the world that it shows first. */
export interface Started {
  readonly greenhouse: Greenhouse
  readonly server: RunningServer
  readonly world: string
}

interface Serving extends Started {
  /**
   * Writes its state, if there is a file for it. Returns an exit code: 1 if it could not be
   * written.
   */
  save(): 0 | 1
  /**
   * Ends it, and returns an exit code as `save` does. @param drains as `drain` of the server does.
   */
  close(drains?: boolean): Promise<0 | 1>
}

export async function startServing(args: ServeArguments, terminal: Terminal): Promise<Serving> {
  assertGuarded(args)
  if (args.watch && args.fixtures === undefined && args.scenarios === undefined && !terminal.config)
    throw new UsageError(
      '--watch: needs a folder to watch. Name it with --fixtures, with --scenarios or in greenhouse.config.ts.',
    )
  if (args.state === undefined) return serveWith(args, terminal, undefined)
  if (args.case !== undefined)
    throw new UsageError('--case: not together with --state. Use one of them.')
  const { openState } = await import('../case/state.ts')
  const state = openState(args.state, terminal)
  return serveWith(args, terminal, state).catch((error: unknown) => {
    state.close()
    throw error
  })
}

async function serveWith(
  args: ServeArguments,
  terminal: Terminal,
  state: StateFile | undefined,
): Promise<Serving> {
  const [{ greenhouse, world }, { serve }] = await Promise.all([
    openGreenhouse(args, terminal, state),
    import('../../adapters/server.ts'),
  ])
  if (terminal.config && args.case === undefined)
    greenhouse.setFilesState({ config: toShownPath(terminal.config.file) })
  const { tlsCert: cert, tlsKey: key } = args
  const folder = args.scenarios ?? terminal.config?.config.scenarios
  if (typeof folder === 'string' && args.case === undefined) {
    const { openScenarioFolder } = await import('../../files/load.ts')
    greenhouse.setFilesState({ scenarios: openScenarioFolder(greenhouse, folder) })
  }
  const endGuard = guardConsole(terminal, greenhouse.service.redact)
  let server: RunningServer | undefined
  try {
    server = await serve(greenhouse, {
      port: args.port,
      host: args.host,
      allowHosts: args.allowHost,
      controlOrigins: args.controlOrigin,
      token: args.token,
      // The server says which one is missing.
      tls:
        (cert ?? key) === undefined
          ? undefined
          : {
              cert: cert!,
              key: key!,
            },
      first: await loadOwnHandlers(args.handlers, terminal),
    })
    const { url, close, drain } = server
    const watching = args.watch
      ? (await import('./follow-files.ts')).followFiles({ greenhouse, url }, args, terminal)
      : undefined
    const keeping = state?.keep(greenhouse)
    const outer = terminal.env['GREENHOUSE_EVIDENCE']
    const saveEvidence = outer
      ? (await import('../evidence/evidence-run.ts')).collectFor(greenhouse, outer)
      : undefined
    const stopLoading = loadAhead([async () => terminal.limitGarbage?.()])
    return {
      greenhouse,
      server,
      world,
      save: () => (keeping?.save() === false ? 1 : 0),
      async close(drains = false) {
        stopLoading()
        watching?.close()
        let isSaved: boolean | undefined
        try {
          await (drains ? drain() : close())
        } finally {
          isSaved = keeping?.end()
          endGuard()
          saveEvidence?.()
        }
        return isSaved === false ? 1 : 0
      },
    }
  } catch (error) {
    await server?.close()
    endGuard()
    throw error
  }
}

const startFlags = ['fixtures', 'scenarios', 'now', 'assume-file', 'scenario', 'assume']

async function openGreenhouse(args: ServeArguments, terminal: Terminal, state?: StateFile) {
  const { config } = terminal
  if (args.case === undefined) {
    const { createGreenhouse } = await import('../../api/assembly/create.ts')
    const options = await toGreenhouseOptions(args, config)
    const all = state ? await state.addTo(options) : options
    return {
      greenhouse: withUsageErrors(() => createGreenhouse(all)),
      world: 'default',
    }
  }
  // A case takes precedence over the configuration file. A clock that is not frozen is the usual one.
  const said = args.frozen ? [...startFlags, 'frozen'] : startFlags
  const [other] = said.flatMap((flag) => sourcesOf(flag, terminal))
  if (other !== undefined)
    throw new UsageError(`--case: the case says how the world starts. Leave out ${other}.`)
  const [{ loadAdditions, readCase }, { replayCase }] = await Promise.all([
    import('../files.ts'),
    import('../../replay/replay.ts'),
  ])
  const { greenhouse, world } = await replayCase(
    await readCase(args.case),
    await loadAdditions(terminal),
  )
  return {
    greenhouse,
    world: world.name,
  }
}

export function assertGuarded({ host, token }: { host: string; token: string | undefined }) {
  if (isLoopbackHost(host) || token !== undefined) return
  throw new UsageError(
    `--host ${host} lets other machines reach this server, its control API included. Set a secret with --token or GREENHOUSE_TOKEN, or leave out --host to serve this machine only.`,
  )
}

/**
 * Loads the handlers of `--handlers` or the configuration file; from then on, their errors do not
 * end the process.
 */
export async function loadOwnHandlers(
  given: string | readonly unknown[] | undefined,
  terminal: Terminal,
) {
  if (given === undefined) return undefined
  await terminal.startGuard?.()
  const { loadHandlers } = await import('../../adapters/own-handlers.ts')
  const isModule = typeof given === 'string'
  const file = isModule ? given : (terminal.config?.file ?? '')
  const { signals } = terminal
  // In full, because it looks like a bug of Greenhouse.
  const logError = (error: unknown) =>
    printError(
      terminal,
      `An uncaught error, most likely in a handler of ${file}: ${toPrintable(error)}\nGreenhouse keeps running.\n`,
    )
  signals.on('uncaughtException', logError)
  signals.on('unhandledRejection', logError)
  return loadHandlers(file, (text) => printError(terminal, text), isModule ? undefined : given)
}

export async function describeStart({ greenhouse, server: { url }, world }: Started) {
  // The code of every command would have all schemas with it.
  const { describeKeys } = await import('../../catalogue/inspect/accounts.ts')
  const { scenarios } = greenhouse.world(world)
  const targets = targetsOf(greenhouse.options)
  const keys = describeKeys(greenhouse.world('default').core, targets)
  const { plants: plants_url, apps: apps_url } = toServerBases(url, world)
  const areas = greenhouse.catalogue.areas.map(({ name }) => name)
  const panel_url = `${toOwnUrl(url)}/__greenhouse/${world === 'default' ? '' : `#/?world=${world}`}`
  return {
    plants_url,
    apps_url,
    areas,
    panel_url,
    keys,
    scenarios,
    ...(targets && { targets }),
  }
}

export type ServingStart = Awaited<ReturnType<typeof describeStart>>
