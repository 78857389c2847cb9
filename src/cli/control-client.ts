import type { Answers } from '../control/actions/index.ts'
import { parseTrustedJson, toJson } from '../core/http/json.ts'
import { type ServerArguments, type Target, toTarget } from './flags/server.ts'
import type { Terminal } from './terminal.ts'

export class UnreachableError extends Error {
  override name = 'UnreachableError'
}

export class CallRejectedError extends Error {
  override name = 'CallRejectedError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface CallOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

export interface ControlClient extends Target {
  call<Name extends keyof Answers>(route: Name, options?: CallOptions): Promise<Answers[Name]>
  openEvents(options: CallOptions, lastId: string | undefined, signal: AbortSignal): Promise<Response>
}

export function connect(args: ServerArguments, terminal: Terminal): ControlClient {
  const target = toTarget(args, terminal)
  return {
    ...target,
    async call(route, options = {}) {
      return (await readAnswer(target, await send(target, route, options))) as never
    },
    async openEvents(options, lastId, signal) {
      const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId }
      const reply = await send(target, 'GET /events', options, { headers, signal })
      if (!reply.ok) await readAnswer(target, reply)
      return reply
    },
  }
}

async function send(
  { server, token, world }: Target,
  route: string,
  { path = {}, query = {}, body }: CallOptions,
  { headers, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const [method, template] = route.split(' ') as [string, string]
  const parts: Readonly<Record<string, string>> = { world, ...path }
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name]!))
  const url = new URL(`/__greenhouse${filled}`, server)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  try {
    return await fetch(url, {
      method,
      headers: {
        ...headers,
        // A proxy uses this header to find the process of the world, whatever the call.
        'x-greenhouse-world': world,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: toJson(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    throw signal?.aborted ? error : toUnreachable(server, error as Error)
  }
}

async function readAnswer({ server }: Target, reply: Response): Promise<unknown> {
  const text = await reply.text().catch((error: Error) => {
    throw toUnreachable(server, error)
  })
  if (reply.status === 204) return undefined
  let value: unknown
  try {
    value = parseTrustedJson(text)
  } catch {
    throw toForeign(server, reply.status)
  }
  if (reply.ok) return value
  const { code, message } = (value as { error?: { code?: unknown; message?: unknown } } | null)?.error ?? {}
  throw typeof message === 'string' ? new CallRejectedError(String(code), message) : toForeign(server, reply.status)
}

function toUnreachable(server: string, { cause, message }: Error): UnreachableError {
  const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message
  return new UnreachableError(
    `Failed to reach a Greenhouse at ${server}: ${reason}. Start one with greenhouse-mock serve, or name another server with --server or GREENHOUSE_URL.`,
  )
}

function toForeign(server: string, status: number): Error {
  return new Error(
    `Failed to use the server at ${server}: it answered ${status}, but not as Greenhouse does. Name another server with --server or GREENHOUSE_URL.`,
  )
}
