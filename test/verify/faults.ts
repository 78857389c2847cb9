import type { RawReply, ProbeRequest, Send } from '../../src/contract/verify/wire.ts'

export interface Passing {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string | undefined
  readonly asked: ProbeRequest
  /** Sends it on, or another one instead. */
  pass(asked?: Partial<ProbeRequest> & { readonly path?: string }): Promise<RawReply>
}

/**
 * Something that is wrong with a server: what it answers instead; `undefined` where it does
 * nothing.
 */
export type Fault = (passing: Passing) => Promise<RawReply> | undefined

export function withFault(fault: Fault): (send: Send) => Send {
  return (send) => (asked, signal) => {
    const url = new URL(asked.url)
    const pass = ({
      path = url.pathname + url.search,
      ...changed
    }: Parameters<Passing['pass']>[0] = {}) =>
      send({ ...asked, ...changed, url: url.origin + path }, signal)
    const key = /^Bearer (.*)$/i.exec(asked.headers['Authorization'] ?? '')?.[1]
    return (
      fault({
        method: asked.method,
        path: url.pathname,
        query: url.searchParams,
        key,
        asked,
        pass,
      }) ?? pass()
    )
  }
}

export function change(
  concerns: (passing: Passing) => boolean,
  how: (answered: RawReply) => RawReply,
): Fault {
  return (passing) => (concerns(passing) ? passing.pass().then(how) : undefined)
}

export function body(
  concerns: (passing: Passing) => boolean,
  isMeant: (status: number) => boolean,
  how: (value: any) => unknown,
): Fault {
  return change(concerns, (answered) =>
    isMeant(answered.status) && answered.text !== ''
      ? { ...answered, text: JSON.stringify(how(JSON.parse(answered.text))) }
      : answered,
  )
}

export const isOfPlants = ({ path }: Passing) => path.startsWith('/plants')
export const isOfApps = ({ path }: Passing) => path.startsWith('/v1')
export const isRefusal = (status: number) => status >= 400
export const isDone = (status: number) => status < 300

/** The JSON object that a request carries; an empty one where it carries none. */
export function sentBy({ asked }: Passing): Record<string, unknown> {
  try {
    const value = JSON.parse(String(asked.body)) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export function json(status: number, value: unknown): RawReply {
  return { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(value) }
}
