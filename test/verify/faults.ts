import type { Answered, Asked, Send } from '../../src/contract/verify/wire.ts'

/** The request that a fault sees. */
export interface Passing {
  readonly method: string
  /** `/plants/17`, `/v1/apps`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string | undefined
  readonly asked: Asked
  /** Sends it on, or another in its place. */
  pass(asked?: Partial<Asked> & { readonly path?: string }): Promise<Answered>
}

/** Something that is wrong with a server: what it answers in the place of what it would; `undefined` where it does nothing. */
export type Fault = (passing: Passing) => Promise<Answered> | undefined

/** Puts a fault between `verify` and a server. */
export function withFault(send: Send, fault: Fault): Send {
  return (asked, signal) => {
    const url = new URL(asked.url)
    const pass = ({ path = url.pathname + url.search, ...changed }: Parameters<Passing['pass']>[0] = {}) =>
      send({ ...asked, ...changed, url: url.origin + path }, signal)
    const key = /^Bearer (.*)$/i.exec(asked.headers['Authorization'] ?? '')?.[1]
    return fault({ method: asked.method, path: url.pathname, query: url.searchParams, key, asked, pass }) ?? pass()
  }
}

/** Changes a reply. */
type Change = (answered: Answered, passing: Passing) => Answered

/** Changes the replies to some requests. */
export function change(concerns: (passing: Passing) => boolean, how: Change): Fault {
  return (passing) => (concerns(passing) ? passing.pass().then((answered) => how(answered, passing)) : undefined)
}

export const isCreation = ({ method, path }: Passing) => method === 'POST' && path === '/plants'
export const isPlantList = ({ method, path }: Passing) => method === 'GET' && path === '/plants'
export const isDeletion = ({ method, path }: Passing) => method === 'DELETE' && path.startsWith('/plants/')
export const isOfPlants = ({ path }: Passing) => path.startsWith('/plants')
export const isOfApps = ({ path }: Passing) => path.startsWith('/v1')
export const isAppList = ({ method, path }: Passing) => method === 'GET' && path === '/v1/apps'

/** The JSON object that a request carries; an empty one where it carries none. */
export function sentBy({ asked }: Passing): Record<string, unknown> {
  try {
    const value = JSON.parse(String(asked.body)) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Another status, where the reply has one of those. */
export function status(from: (status: number) => boolean, to: number): Change {
  return (answered) => (from(answered.status) ? { ...answered, status: to } : answered)
}

/** Another JSON body, where the reply has the statuses. */
export function body(change: (value: any, passing: Passing) => unknown, from = (_status: number) => true): Change {
  return (answered, passing) =>
    from(answered.status) && answered.text !== ''
      ? { ...answered, text: JSON.stringify(change(JSON.parse(answered.text), passing)) }
      : answered
}

/** Another header; `undefined` takes it out. */
export function header(name: string, to: (value: string) => string | undefined): Change {
  return (answered) => {
    const { [name]: value, ...headers } = answered.headers
    if (value === undefined) return answered
    const changed = to(value)
    return { ...answered, headers: changed === undefined ? headers : { ...headers, [name]: changed } }
  }
}

/** A JSON reply. */
export function json(status: number, value: unknown): Promise<Answered> {
  return Promise.resolve({
    status,
    headers: { 'content-type': 'application/json' },
    text: value === undefined ? '' : JSON.stringify(value),
  })
}

export const isRefusal = (status: number) => status >= 400
export const isDone = (status: number) => status < 300
