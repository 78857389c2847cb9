import type { BaseUrls } from '../adapters/base-urls.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { MswServer } from './msw-server.ts'

/** The base URLs at which the tests' Greenhouse answers. */
export interface TestHost {
  /** The base URL of Area A. */
  readonly plants: string
  /** The base URL of Area B. */
  readonly apps: string
  close(): Promise<void>
  /** Whether it keeps the process alive. Absent from a host that must close when no test runs. @internal */
  hold?(isHeld: boolean): void
}

export interface Reach extends BaseUrls {
  readonly server?: MswServer | undefined
  readonly answersAll?: boolean
}

export type HostOpener = (greenhouse: Greenhouse, reach: Reach) => Promise<TestHost>

export function hasBases({ plants, apps }: BaseUrls): boolean {
  return plants !== undefined || apps !== undefined
}

/** Returns both base URLs; a missing one becomes a URL that no one uses. */
export function toBases({ plants, apps }: BaseUrls): Required<BaseUrls> {
  return { plants: plants ?? 'http://greenhouse.test', apps: apps ?? 'http://greenhouse.test/v1' }
}
