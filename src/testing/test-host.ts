import { codedError } from '../core/text/error-codes.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { toServerBases } from '../core/http/urls.ts'
import { findConfig } from '../files/find-config.ts'
import type { LoadedConfig } from '../files/load-config.ts'
import type { Joining } from './join-msw.ts'
import {
  closeUnlessClosed,
  hasBases,
  listenUnlessListening,
  type MswServer,
  type Reach,
  type TestHost,
} from './reach.ts'
import { loadWithMsw, shareInterception } from './share-interception.ts'

export async function openTestHost(greenhouse: Greenhouse, reach: Reach = {}): Promise<TestHost> {
  if (hasBases(reach)) return openInterception(greenhouse, reach)
  return openServer(greenhouse, reach.server)
}

async function openServer(greenhouse: Greenhouse, team: MswServer | undefined): Promise<TestHost> {
  const { startServer } = await import('../adapters/server.ts')
  const server = await startServer(greenhouse, {}, true)
  const bases = toServerBases(server.url)
  try {
    if (!team) {
      await assertReachable(server.url)
      return {
        ...bases,
        close: server.close,
        hold: server.hold,
      }
    }
    const leave = await joinServer(team, greenhouse, { passes: server.url })
    return {
      ...bases,
      async close() {
        leave()
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

async function joinServer(
  server: MswServer,
  greenhouse: Greenhouse,
  joining: Joining,
): Promise<() => void> {
  const { joinMsw } = await loadWithMsw(() => import('./join-msw.ts'))
  const leave = joinMsw(server, greenhouse, joining)
  const isOurs = listenUnlessListening(server)
  return () => {
    leave()
    if (isOurs) closeUnlessClosed(server)
  }
}

/** Tests share one server of the process: a second `setupServer` can disable the first. */
const openInterception = shareInterception(openOwn, closeUnlessClosed, joinServer)

async function openOwn(): Promise<MswServer> {
  const msw = await loadWithMsw(() => import('msw/node'))
  if (isListening(msw))
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      'Failed to answer at the base URLs: a setupServer() of yours is listening, and MSW allows only one at a time. Give it to createTest({ server }), or createWithWorld({ server }) outside of Vitest: Greenhouse then adds handlers to it.',
    )
  const server: MswServer = msw.setupServer()
  // Each major version of msw has its own option.
  server.listen({
    onUnhandledRequest: 'bypass',
    onUnhandledFrame: 'bypass',
  })
  return server
}

/**
 * Returns whether any `setupServer` listens. Works only where all share one interceptor, as from
 * msw 2.13.
 */
function isListening(msw: object): boolean {
  const { defaultNetworkOptions } = msw as {
    defaultNetworkOptions?: { sources?: { emitter?: { listenerCount?(event: string): number } }[] }
  }
  return (
    defaultNetworkOptions?.sources?.some(
      ({ emitter }) => (emitter?.listenerCount?.('frame') ?? 0) > 0,
    ) === true
  )
}

/** @throws Error if the test's MSW blocks requests to our server. */
async function assertReachable(url: string) {
  if (!mayBeIntercepted()) return
  try {
    await (await fetch(`${url}/__greenhouse/health`)).arrayBuffer()
  } catch (error) {
    if (!isOfMsw(error)) return
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      "Failed to reach the tests' server: an MSW setupServer() is listening, and refuses requests without a handler (onUnhandledRequest: 'error'). Give it to createTest({ server }), or createWithWorld({ server }) outside of Vitest: it then lets requests to Greenhouse pass.",
      { cause: error },
    )
  }
}

/**
 * Returns whether requests may be intercepted: msw 2 leaves a mark, msw 3 replaces `fetch` with an
 * anonymous function.
 */
function mayBeIntercepted(): boolean {
  const { fetch, [Symbol.for('fetch-interceptor')]: mark } = globalThis as {
    fetch?: Function
  } & Record<symbol, unknown>
  return fetch !== undefined && (Boolean(mark) || fetch.name === '')
}

function isOfMsw(error: unknown): boolean {
  return error instanceof Error && (error.message.startsWith('[MSW]') || isOfMsw(error.cause))
}

/**
 * Loads the configuration file for tests: GREENHOUSE_CONFIG, or the nearest one. If there is none,
 * loads no code.
 */
export function loadTestConfig(): LoadedConfig | Promise<LoadedConfig> {
  const file = findConfig(process.env['GREENHOUSE_CONFIG'], process.cwd())
  if (file === undefined)
    return {
      file,
      greenhouse: {},
      server: {},
      bases: {},
    }
  return import('../files/load-config.ts').then(({ loadConfig }) => loadConfig({ file }))
}
