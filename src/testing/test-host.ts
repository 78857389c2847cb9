import type { Greenhouse } from '../greenhouse/greenhouse.ts'

/** The base URLs at which the tests' Greenhouse answers. */
export interface TestHost {
  /** The base URL of Area A. */
  readonly plants: string
  /** The base URL of Area B. */
  readonly apps: string
  close(): Promise<void>
}

/** Serves on a free port. With a base URL, MSW answers at that URL instead, and ignores all other requests. */
export async function openTestHost(
  greenhouse: Greenhouse,
  bases: { plants?: string | undefined; apps?: string | undefined } = {},
): Promise<TestHost> {
  return bases.plants === undefined && bases.apps === undefined
    ? openServer(greenhouse)
    : openInterception(greenhouse, bases)
}

async function openServer(greenhouse: Greenhouse): Promise<TestHost> {
  const { serve } = await import('../adapters/server.ts')
  const server = await serve(greenhouse)
  return { plants: server.url, apps: `${server.url}/v1`, close: () => server.close() }
}

async function openInterception(
  greenhouse: Greenhouse,
  {
    plants = 'http://greenhouse.test',
    apps = 'http://greenhouse.test/v1',
  }: { plants?: string | undefined; apps?: string | undefined },
): Promise<TestHost> {
  const [{ createHandlers }, { setupServer }] = await Promise.all([import('../adapters/msw.ts'), import('msw/node')])
  const server = setupServer(...createHandlers(greenhouse, { plants, apps }))
  // Each major version of msw knows the option of its own only.
  server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as Parameters<typeof server.listen>[0])
  return { plants, apps, close: async () => server.close() }
}
