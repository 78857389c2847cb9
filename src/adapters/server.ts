import { reporterOf } from '../api/door.ts'
import { codedError } from '../core/text/error-codes.ts'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createControl } from '../control/http/index.ts'
import { leadToPanel } from '../control/http/send.ts'
import { withCallerStack } from '../core/contract/options.ts'
import { callback, checkOptions, type SchemasOf } from '../core/store/options.ts'
import { quote } from '../core/text/messages.ts'
import { isControlTarget, isLoopbackHost } from '../core/http/urls.ts'
import type { WebhookTransport } from '../core/http/webhook-transport.ts'
import { afterIfAlive } from '../core/time/clock.ts'
import { nextTurn, ticksAreFaked } from '../core/time/system-time.ts'
import { readBundledFixtures } from '../fixtures/bundled.ts'
import { assertGreenhouse } from '../api/options.ts'
import { serverSchemas } from '../api/config/settings.ts'
import type { RecordingSummary } from '../contract/recording/recording.ts'
import type { GreenhouseConfig } from '../api/config/types.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { ProxyOptions } from '../proxy/message.ts'
import { Connections } from '../node-http/connections.ts'
import { inTurn } from '../node-http/pipelining.ts'
import { createHostCheck, createHttpServer } from '../node-http/http-server.ts'
import { type BeforeHandler, createAnswer, type NodeListener } from '../node-http/listener.ts'
import { loadAhead } from '../node-http/load-ahead.ts'

/** The options of `serve`. All of them are optional. */
export interface ServeOptions extends Pick<
  GreenhouseConfig,
  'host' | 'allowHosts' | 'controlOrigins' | 'token' | 'tls'
> {
  /** 0, the default, takes any free port. */
  port?: number | undefined
  /** Gets every request before Greenhouse does, except requests to the control API. */
  first?: BeforeHandler | undefined
}

const schemas: SchemasOf<ServeOptions> = {
  ...serverSchemas,
  first: callback('a function that answers requests, such as loadHandlers() returns'),
}

/**
 * A running server. `await using server = await serve(greenhouse)` closes it at the end of the
 * block.
 */
export interface RunningServer extends AsyncDisposable {
  /**
   * The base URL of Area A: `http://127.0.0.1:41234`, or `https:` with `tls`. Area B is at this URL
   * with `/v1`.
   */
  readonly url: string
  readonly port: number
  /**
   * Stops the server: accepts no new connections and ends webhook deliveries. Replies in progress
   * get one second to finish, then they are cut. Afterwards, the server no longer keeps the process
   * alive.
   */
  close(): Promise<void>
  /**
   * Closes the server, but lets clients that send requests one by one send another one, which
   * learns of the end. @internal
   */
  drain(): Promise<void>
  /** Sets whether it keeps the process alive, as it does from its start. @internal */
  hold(isHeld: boolean): void
  /** The summary of what `record` of the proxy has written, once the server is closed. @internal */
  recorded(): RecordingSummary | undefined
}

/** The time that replies in progress get when the server closes, in milliseconds. */
const grace = 1_000

/** The time that a drain leaves a client to send one more request, in milliseconds. */
const drainPause = 250

/**
 * Serves both areas over HTTP: plants at `/plants`, apps at `/v1/apps`, and the control API at
 * `/__greenhouse`.
 * @example
 * const server = await serve(createGreenhouse(), { port: 4010 })
 * await fetch(`${server.url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
 * await server.close()
 * @throws Error when the port is taken, or when `process.nextTick` is faked; TypeError or
 * RangeError for a wrong option, and for a host that other machines can reach without a token.
 */
export function serve(greenhouse: Greenhouse, options: ServeOptions = {}): Promise<RunningServer> {
  return withCallerStack(serve, () => startServer(greenhouse, options))
}

/**
 * @param isOfTests whether it loads no code ahead, and open connections do not keep the process
 * alive.
 */
export async function startServer(
  greenhouse: Greenhouse,
  options: ServeOptions,
  isOfTests = false,
): Promise<RunningServer> {
  assertGreenhouse('serve', greenhouse)
  checkOptions('serve', options, schemas)
  const {
    port = 0,
    host = '127.0.0.1',
    allowHosts,
    controlOrigins = [],
    token,
    tls,
    first,
  } = options
  assertTokenFor(host, token)
  const isOwnHost = createHostCheck(host, allowHosts)
  if (token !== undefined) greenhouse.hide(token)
  const control = createControl(greenhouse, {
    host,
    isOwnHost,
    token,
    origins: new Set(controlOrigins),
  })
  const answer = createAnswer(greenhouse, {
    answerFirst: first,
    isOwnHost,
    answerRoot: leadToPanel,
  })
  const listen: NodeListener = (request, response) => {
    connections.track(request, response)
    inTurn(request, response, () => {
      if (isControlTarget(request.url ?? '')) return control.answer(request, response)
      return answer(request, response)
    })
  }
  const create = tls && (await import('../node-http/tls.ts')).createServersWith(tls)
  const server = createHttpServer(listen, {
    sharesHeaders: first === undefined,
    report: reporterOf(greenhouse.service),
    create,
  })
  const connections = new Connections(server)
  if (isOfTests) server.on('connection', (socket) => socket.unref())
  const { proxy } = greenhouse.options
  const startForwarding = proxy && (await loadProxy(greenhouse, proxy))
  await startListening(server, port, host)
  const address = server.address() as AddressInfo
  // In the turn in which it listens: no request comes before.
  const forwarding = startForwarding?.(address, server)
  const transport = createTransport(greenhouse.options.webhooks?.allow ?? [])
  const removeTransport = greenhouse.deliverThrough(transport)
  const stopLoading = loadAhead(
    isOfTests ? [] : [transport.load, control.load, async () => readBundledFixtures()],
  )
  const url = `http${tls ? 's' : ''}://${toAuthority(address.address, address.port)}`
  const stopWatching = watchTicks(url)
  const stop = () => {
    stopWatching()
    stopLoading()
    removeTransport()
    transport.close()
  }
  const parts = {
    stop,
    connections,
    control,
    forwarding,
  }
  return createRunningServer(server, url, parts)
}

/** Others could change everything through the control API. */
function assertTokenFor(host: string, token: string | undefined): void {
  if (isLoopbackHost(host) || token !== undefined) return
  throw codedError(
    'GREENHOUSE_INVALID_VALUE',
    `Failed to call serve(): the host ${quote(host)} lets other machines reach this server, its control API included. Set a secret, serve(greenhouse, { host, token }), or leave out the host to serve this machine only.`,
  )
}

interface RunningParts {
  /** Ends what runs together with the server. */
  readonly stop: () => void
  readonly connections: Connections
  readonly control: { close(): void }
  readonly forwarding: Forwarding | undefined
}

function createRunningServer(
  server: Server,
  url: string,
  { stop, connections, control, forwarding }: RunningParts,
): RunningServer {
  let recorded: RecordingSummary | undefined
  const shutDown = async (drains: boolean) => {
    stop()
    const ended = connections.end(grace, drains ? drainPause : 0)
    control.close()
    await ended
    forwarding?.stop()
    recorded = forwarding?.summarize?.()
  }
  let closed: Promise<void> | undefined
  const end = (drains: boolean) => (closed ??= shutDown(drains))
  const close = () => end(false)
  return {
    url,
    port: (server.address() as AddressInfo).port,
    close,
    drain: () => end(true),
    recorded: () => recorded,
    hold: (isHeld) => void (isHeld ? server.ref() : server.unref()),
    [Symbol.asyncDispose]: close,
  }
}

interface Forwarding {
  stop(): void
  /** Writes the rest of a recording, and returns what it has. */
  readonly summarize: (() => RecordingSummary) | undefined
}

/** Returns what starts to forward. */
async function loadProxy(
  greenhouse: Greenhouse,
  options: ProxyOptions,
): Promise<(address: AddressInfo, server: Server) => Forwarding> {
  const { standInFront } = await import('../proxy/node-target.ts')
  const recorder =
    options.record === undefined
      ? undefined
      : await openRecording(greenhouse, options.record, options)
  return (address, server) => {
    try {
      const stop = standInFront(greenhouse, options, address, recorder?.recording)
      return {
        stop,
        summarize: recorder?.summarize,
      }
    } catch (error) {
      server.close()
      throw error
    }
  }
}

/** @throws Error for a folder that takes no recording */
async function openRecording(
  greenhouse: Greenhouse,
  folder: string,
  { plants, apps }: ProxyOptions,
) {
  const [{ RecordingFolder }, { Recording }] = await Promise.all([
    import('../files/recording-folder.ts'),
    import('../contract/recording/recording.ts'),
  ])
  const services = [
    ...new Set(
      [plants, apps].flatMap((url) => {
        if (url === undefined) return []
        return new URL(url).origin
      }),
    ),
  ]
  const files = new RecordingFolder(folder)
  const recording = new Recording(files, services.join(' and '), greenhouse.catalogue.definitions)
  const summarize = () => {
    files.flush()
    return recording.summarize(folder, files.failure)
  }
  return { recording, summarize }
}

/**
 * Creates the transport of deliveries. Loads its module on first use, because TLS and DNS take a
 * tenth of the start.
 */
function createTransport(allow: readonly string[]): WebhookTransport & {
  load(): Promise<unknown>
  close(): void
} {
  let loaded: Promise<WebhookTransport & { close(): void }> | undefined
  const load = () =>
    (loaded ??= import('../node-http/webhook-transport.ts').then(
      ({ createNodeTransport }) => createNodeTransport(allow),
      (error: unknown) => {
        loaded = undefined
        throw error
      },
    ))
  return {
    load,
    send: async (delivery, signal) => (await load()).send(delivery, signal),
    close: () => void loaded?.then((transport) => transport.close()).catch(() => undefined),
  }
}

async function startListening(server: Server, port: number, host: string): Promise<void> {
  const failure = `Failed to listen on ${toAuthority(host, port)}`
  if (await ticksAreStuck())
    throw codedError(
      'GREENHOUSE_FAILED_LISTENING',
      `${failure}: process.nextTick is faked, and Node's own HTTP server waits for it. ${advice}`,
    )
  return new Promise((resolve, reject) => {
    // Stays attached, so that a later failure to accept a connection does not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const taken = `port ${port} is taken. Choose another with --port (0 for any free one)`
      const reason = error.code === 'EADDRINUSE' ? taken : error.message
      reject(codedError('GREENHOUSE_FAILED_LISTENING', `${failure}: ${reason}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

/**
 * Puts an IPv6 address into brackets. Avoids `net.isIPv6`, whose regular expression takes 3 ms to
 * compile at every start.
 */
function toAuthority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

const checkInterval = 1_000

const advice =
  "Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."

/**
 * Returns whether a fake stops Node's own ticks. Jest 30 shows tests a copy of `process`, whose
 * fakes do not affect Node.
 */
async function ticksAreStuck(): Promise<boolean> {
  if (!ticksAreFaked()) return false
  let hasTicked = false
  new Readable().once('close', () => (hasTicked = true)).destroy()
  await nextTurn()
  return !hasTicked
}

/**
 * Warns once on the console if `process.nextTick` is faked for a second or two while a server runs:
 * then every request of this process hangs before the server sees it. Returns a function that ends
 * the check.
 */
function watchTicks(url: string): () => void {
  let wasFaked = false
  let isOver = false
  const check = async () => {
    const isFaked = await ticksAreStuck()
    if (isOver) return
    // A short fake without requests needs no warning.
    if (isFaked && wasFaked)
      return console.error(
        `process.nextTick is faked while Greenhouse serves ${url}: requests of this process to any server hang, since Node's own http and fetch wait for it. ${advice}`,
      )
    wasFaked = isFaked
    stop = checkLater()
  }
  const checkLater = () => afterIfAlive(checkInterval, () => void check())
  let stop = checkLater()
  return () => {
    isOver = true
    stop()
  }
}
