import type { BaseUrls } from '../adapters/base-urls.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { custom } from '../core/store/options.ts'

/** The base URLs at which the tests' Greenhouse answers. */
export interface TestHost {
  /** The base URL of Area A. */
  readonly plants: string
  /** The base URL of Area B. */
  readonly apps: string
  close(): Promise<void>
  /**
   * Returns whether it keeps the process alive. Absent from a host that must close when no test
   * runs.
   * @internal
   */
  hold?(isHeld: boolean): void
}

export interface Reach extends BaseUrls {
  readonly server?: MswServer
  readonly answersAll?: boolean
}

export type HostOpener = (greenhouse: Greenhouse, reach: Reach) => Promise<TestHost>

export function hasBases({ plants, apps }: BaseUrls): boolean {
  return plants !== undefined || apps !== undefined
}

/** Returns both base URLs; a missing one becomes a URL that no one uses. */
export function toBases({ plants, apps }: BaseUrls): Required<BaseUrls> {
  return {
    plants: plants ?? 'http://greenhouse.test',
    apps: apps ?? 'http://greenhouse.test/v1',
  }
}

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

export const mswServerSchema = custom(
  'what setupServer() of "msw/node" returned, such as setupServer(...handlers)',
  (value) => hasMethods(value, ['listen', 'close', ...methods]),
)

export const mswWorkerSchema = custom(
  'what setupWorker() of "msw/browser" returned, such as setupWorker(...handlers)',
  (value) => hasMethods(value, ['start', 'stop', ...methods]),
)

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every(
    (name) => typeof (value as Record<string, unknown> | undefined)?.[name] === 'function',
  )
}

/**
 * How a server shows that it listens: in msw 3 by `readyState`, up to msw 2.12 by its interceptor,
 * in other versions not at all.
 */
interface ReadyState {
  readonly readyState?: number
  readonly interceptor?: { readonly readyState?: string }
}

export function listenUnlessListening(server: MswServer): boolean {
  const { readyState, interceptor } = server as ReadyState
  if (readyState === 1 || interceptor?.readyState?.startsWith('APPL') === true) return false
  try {
    server.listen()
    return true
  } catch (error) {
    if (/already (enabled|listening)/i.test((error as Error).message)) return false
    throw error
  }
}

/** Closes the server unless it is closed: closing it twice throws in msw 3. */
export function closeUnlessClosed(server: MswServer): void {
  if ((server as ReadyState).readyState !== 0) server.close()
}
