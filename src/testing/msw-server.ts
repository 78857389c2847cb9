import type { OptionRule } from '../core/definitions/options.ts'

/** An MSW server: what `setupServer` returns, in MSW 2.11 and later. */
export interface MswServer {
  listen(options?: object): unknown
  close(): unknown
  use(...handlers: unknown[]): unknown
  resetHandlers(...handlers: unknown[]): unknown
  listHandlers(): readonly object[]
}

const methods = ['listen', 'close', 'use', 'resetHandlers', 'listHandlers'] as const

/** The option `server`. */
export const mswServerRule: OptionRule = {
  takes: 'what setupServer() of "msw/node" returned, such as setupServer(...handlers)',
  accepts: (value) => methods.every((name) => typeof (value as MswServer | undefined)?.[name] === 'function'),
}

/** What each version tells of whether it listens: msw 3 the one, up to 2.12 the other, those between nothing. */
interface ReadyState {
  readonly readyState?: number
  readonly interceptor?: { readonly readyState?: string }
}

/** Listens unless the server does already. Returns whether it does so by this call. */
export function listenUnlessListening(server: MswServer, options?: object): boolean {
  const { readyState, interceptor } = server as ReadyState
  if (readyState === 1 || interceptor?.readyState?.startsWith('APPL') === true) return false
  try {
    server.listen(options)
    return true
  } catch (error) {
    if (/already (enabled|listening)/i.test((error as Error).message)) return false
    throw error
  }
}

/** Closes the server unless it is closed: msw 3 throws for that. */
export function closeUnlessClosed(server: MswServer): void {
  if ((server as ReadyState).readyState !== 0) server.close()
}
