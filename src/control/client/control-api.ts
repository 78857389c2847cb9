import { version as ownVersion } from '../../../package.json'
import { givenOf, isObject } from '../../core/contract/options.ts'
import { parseAnyJson, toJson } from '../../core/http/json.ts'
import type { Fields, PathNames } from '../../core/text/values.ts'
import { delay } from '../../core/time/clock.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { Answers, Inputs, RouteName } from '../actions/index.ts'
import type { ControlEvents } from '../events.ts'
import type { Failure } from '../shapes.ts'
import type { directFetch } from './direct-fetch.ts'
import {
  CallError,
  ClientError,
  ForeignServerError,
  ServerUnreachableError,
  TokenError,
} from './errors.ts'

export interface ControlApiOptions {
  /** The world of calls whose `path` names none; `default` by default. */
  readonly world?: string
  /** Called for each call, because a page's token may change. */
  readonly token?: () => string | undefined
  /**
   * The page's `fetch` by default. In Node, that of `direct-fetch` uses no proxy for this machine.
   */
  readonly fetch?: typeof directFetch
  readonly signal?: AbortSignal
  readonly advice?: Partial<Advice>
}

/** The advice of messages, as the end of a sentence. */
interface Advice {
  readonly server: string
  readonly token: string
}

const standardAdvice: Advice = {
  server: 'give connect() the URL of another server',
  token: 'call connect(url, { token }), with the value of --token',
}

type QueryValues<Names extends PropertyKey> = {
  readonly [Name in Names]?: string | number | boolean | undefined
}

/**
 * The arguments of an action, by name: the parts of its path, and its input. The world is that of
 * the client by default.
 */
export type ActionFields<Route extends RouteName> = {
  readonly [Name in Exclude<PathNames<Route>, 'world'>]: string | number | bigint
} & { readonly world?: string } & InputOf<Route>

type InputOf<Route extends RouteName> = Inputs[Route] extends undefined
  ? unknown
  : Route extends `${'GET' | 'DELETE'} ${string}`
    ? QueryValues<keyof Inputs[Route]>
    : Inputs[Route]

export interface CallOptions {
  /** The whole input, instead of the fields that the path does not name. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * What a stream yields between its events: it is open, so what is loaded from now on is not older;
 * or it was lost, and is opened again.
 */
type ConnectionMessage =
  | { readonly type: 'open' }
  | {
      readonly type: 'lost'
      readonly error: ClientError | undefined
    }

type StreamMessage<Events> =
  | ConnectionMessage
  | {
      readonly [Type in keyof Events]: {
        readonly type: Type
        readonly data: Events[Type]
      }
    }[keyof Events]

export type ControlMessage = StreamMessage<ControlEvents>

/** Returns how long to wait after some failures, in milliseconds. */
function waitAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, 3_000)
}

/**
 * Calls the control API of a server, or of a Greenhouse in the same process, with its
 * `controlFetch`.
 */
export class ControlApi {
  readonly server: string
  readonly #options: ControlApiOptions
  readonly #advice: Advice

  constructor(server: string, options: ControlApiOptions = {}) {
    this.server = server
    this.#options = options
    this.#advice = { ...standardAdvice, ...options.advice }
  }

  /** @throws ClientError; the reason of `signal` once that aborts. */
  async call<Route extends RouteName>(
    route: Route,
    fields?: ActionFields<Route>,
    options: CallOptions = {},
  ): Promise<Answers[Route]> {
    const ending = this.#withSignal(options)
    const answer = await this.#read(await this.#send(route, fields, ending), ending.signal)
    if (answer === undefined && route.startsWith('GET ')) throw this.toForeign(204)
    return answer as Answers[Route]
  }

  /**
   * Reads events until `signal` aborts, and opens the stream again when it was cut. Each begins
   * with `start`: what happened before does not come. Its `server` changes when the server was
   * restarted. @throws ClientError when the server rejects the call.
   */
  events(
    signal?: AbortSignal,
    fields?: ActionFields<'GET /events'>,
  ): AsyncGenerator<readonly ControlMessage[]> {
    return this.#stream('GET /events', signal, fields)
  }

  /**
   * Reads the new entries of a journal, as `events` reads events. Entries that came while the
   * stream was lost are missing.
   */
  entries(
    signal?: AbortSignal,
  ): AsyncGenerator<readonly StreamMessage<{ message: JournalEntry }>[]> {
    return this.#stream('GET /worlds/{world}/journal/stream', signal)
  }

  async *#stream<Events>(
    route: RouteName,
    given: AbortSignal | undefined,
    fields?: object,
  ): AsyncGenerator<readonly StreamMessage<Events>[]> {
    const { signal } = this.#withSignal({ signal: given })
    for (let failures = 0; !signal?.aborted;) {
      let error: ClientError | undefined
      try {
        const body = await this.#openStream(route, fields, signal)
        yield [{ type: 'open' }]
        let isClosed = false
        for await (const events of readEvents(body)) {
          failures = 0
          isClosed = events.at(-1)?.type === 'closed'
          const open = events.filter(({ type }) => type !== 'closed')
          yield open.map(
            ({ type, data }) =>
              ({
                type,
                data: parseAnyJson(data),
              }) as StreamMessage<Events>,
          )
        }
        // The server closed it, because too much was unread. A pause lets the reader catch up, or
        // it would do so again.
        if (isClosed) {
          await delay(waitAfter(0), signal)
          continue
        }
      } catch (caught) {
        if (signal?.aborted) return
        error = this.#toLoss(caught)
      }
      if (signal?.aborted) return
      yield [{ type: 'lost', error }]
      await delay(waitAfter(failures++), signal)
    }
  }

  async #openStream(
    route: RouteName,
    fields: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(route, fields, { signal })
    const { ok, body, headers, status } = response
    if (!ok || !body) await this.#read(response, signal)
    if (body && headers.get('content-type')?.startsWith('text/event-stream')) return body
    throw this.toForeign(status)
  }

  /** Returns why a stream was lost. @throws what another try would not change */
  #toLoss(caught: unknown): ClientError {
    const error = caught instanceof ClientError ? caught : this.toUnreachable(caught as Error)
    const isRejected =
      error instanceof CallError && error.code !== 'too_many_streams' && error.status < 500
    if (isRejected || error instanceof ForeignServerError) throw error
    return error
  }

  /** A call ends with its own signal, and with that of all calls. */
  #withSignal(options: CallOptions): CallOptions {
    const signals = [options.signal, this.#options.signal].filter((signal) => signal !== undefined)
    return {
      ...options,
      signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
    }
  }

  async #send(
    route: string,
    fields: object = {},
    { body, signal }: CallOptions,
  ): Promise<Response> {
    const { token, world = 'default', fetch: send = fetch } = this.#options
    const [method, template] = route.split(' ') as [string, string]
    const placed = placeFields(template, givenOf(fields) as Fields, world)
    const hasBody = method !== 'GET' && method !== 'DELETE'
    const url = new URL(`/__greenhouse${placed.path}`, this.server)
    if (!hasBody) url.search = String(new URLSearchParams(placed.others))
    const secret = token?.()
    const headers: Record<string, string> = {
      // A proxy uses this header to find the process of the world, whatever the call. A wrong name
      // may hold what no header may.
      'x-greenhouse-world': placed.world,
    }
    if (secret) headers['authorization'] = `Bearer ${secret}`
    if (hasBody) headers['content-type'] = 'application/json'
    try {
      const text = hasBody ? toJson(body ?? placed.others) : null
      return await send(url, {
        method,
        headers,
        body: text,
        signal: signal ?? null,
      })
    } catch (error) {
      throw signal?.aborted ? error : this.toUnreachable(error as Error)
    }
  }

  async #read(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    const text = await response.text().catch((error: Error) => {
      throw signal?.aborted ? error : this.toUnreachable(error)
    })
    const { ok, status } = response
    if (status === 204) return undefined
    const value = parseAnyJson(text)
    if (ok && isObject(value)) return value
    const { error } = (isObject(value) ? value : {}) as Partial<Failure>
    // Errors of app management, which may be the real one, are alike but for the id of the request.
    if (typeof error?.message !== 'string' || 'request_id' in error) throw this.toForeign(status)
    const { code, message, errors } = error
    if (status === 401)
      throw new TokenError(code, status, `The token is missing or wrong: ${this.#advice.token}.`)
    throw new CallError(code, status, message, { errors })
  }

  toUnreachable(cause: Error): ServerUnreachableError {
    const reason = (cause.cause as NodeJS.ErrnoException | undefined)?.code ?? cause.message
    let advice = 'Start one with greenhouse-mock serve'
    if (/ALTNAME|EXPIRED/.test(reason))
      advice = 'Give it a certificate for this address that is valid'
    else if (/CERT|SIGNATURE/.test(reason)) advice = 'Name its authority in NODE_EXTRA_CA_CERTS'
    return new ServerUnreachableError(
      'unreachable',
      0,
      `Failed to reach a Greenhouse at ${this.server}: ${reason}. ${advice}, or ${this.#advice.server}.`,
      { cause },
    )
  }

  toForeign(status: number): ForeignServerError {
    const { server } = this.#advice
    return new ForeignServerError(
      'not_greenhouse',
      status,
      `Failed to use the server at ${this.server}: it answered ${status}, but not as Greenhouse does. ${server.charAt(0).toUpperCase()}${server.slice(1)}.`,
    )
  }
}

/**
 * Says where the fields of an action go: into its path, and the others into the query of a GET or
 * DELETE, otherwise the body.
 */
function placeFields(template: string, fields: Fields, world: string) {
  const parameters: Fields = { world, ...fields }
  const toParameter = (name: string) => encodeURIComponent(String(parameters[name]))
  const others = Object.entries(fields).filter(([name]) => !template.includes(`{${name}}`))
  return {
    path: template.replace(/\{(\w+)\}/g, (_, name: string) => toParameter(name)),
    world: toParameter('world'),
    others: Object.fromEntries(others) as Record<string, string>,
  }
}

export function describeVersion(server: string, version: string): string | undefined {
  if (Number.parseInt(version) === Number.parseInt(ownVersion)) return undefined
  return `the server at ${server} has version ${version}, and this client ${ownVersion}. Install the same on both sides.`
}

export interface ServerEvent {
  readonly type: string
  readonly data: string
}

const longestEvent = 2 ** 26

/**
 * Reads server-sent events; yields those of a chunk together. Drops an incomplete event at the end.
 * @throws whatever reading the stream throws; RangeError for an event without an end.
 */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent[]> {
  const decoder = new TextDecoder()
  // Some browsers cannot iterate over a stream.
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true }))
        .replaceAll('\r\n', '\n')
        .split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > longestEvent)
        throw new RangeError(`The server sent an event of more than ${longestEvent} characters.`)
      const events = blocks.flatMap(parseEventBlock)
      if (events.length > 0) yield events
    }
  } finally {
    // A stream that failed rejects this too.
    void reader.cancel().catch(() => undefined)
  }
}

/** A block without data, such as a comment that keeps the connection open, is no event. */
function parseEventBlock(block: string): ServerEvent[] {
  const lines = block.split('\n')
  const valuesOf = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const [type = 'message'] = valuesOf('event')
  const data = valuesOf('data')
  if (data.length === 0) return []
  return [{ type, data: data.join('\n') }]
}
