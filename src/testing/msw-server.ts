import type { OptionRule } from '../core/definitions/options.ts'

/** An MSW server or worker. */
export interface Interception {
  use(...handlers: unknown[]): unknown
  resetHandlers(...handlers: unknown[]): unknown
  listHandlers(): readonly object[]
}

/** An MSW server: what `setupServer` returns, in MSW 2.11 and later. */
export interface MswServer extends Interception {
  listen(options?: object): unknown
  close(): unknown
}

/** An MSW worker: what `setupWorker` returns, in MSW 2.11 and later. */
export interface MswWorker extends Interception {
  start(options?: object): unknown
  stop(): unknown
}

const methods = ['use', 'resetHandlers', 'listHandlers'] as const

/** The option `server` in Node. */
export const mswServerRule: OptionRule = {
  takes: 'what setupServer() of "msw/node" returned, such as setupServer(...handlers)',
  accepts: (value) => hasMethods(value, ['listen', 'close', ...methods]),
}

/** The option `server` in a page. */
export const mswWorkerRule: OptionRule = {
  takes: 'what setupWorker() of "msw/browser" returned, such as setupWorker(...handlers)',
  accepts: (value) => hasMethods(value, ['start', 'stop', ...methods]),
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Record<string, unknown> | undefined)?.[name] === 'function')
}

/** How versions report that they listen: msw 3 the first, up to 2.12 the second, others not at all. */
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
