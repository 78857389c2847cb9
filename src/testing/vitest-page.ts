import { codedError } from '../core/text/error-codes.ts'
import type { TestAPI } from 'vitest'
import type { Greenhouse } from '../api/greenhouse.ts'
import { keepCallerStack, withCallerStack } from '../core/contract/options.ts'
import { extendTest, type TestFixtures, type TestOptions } from './extend-test.ts'
import { joinMsw } from './join-msw.ts'
import { hasBases, type MswWorker, mswWorkerSchema, type Reach, type TestHost } from './reach.ts'
import { shareInterception } from './share-interception.ts'

async function openPageHost(greenhouse: Greenhouse, reach: Reach): Promise<TestHost> {
  if (!hasBases(reach))
    throw codedError(
      'GREENHOUSE_UNSUPPORTED_HOST',
      'Failed to start a server for this test: it runs in a browser page, which cannot host one. Give createTest() the base URLs of your client, so that MSW answers there: createTest({ plants, apps }).',
    )
  return openInterception(greenhouse, reach)
}

const openInterception = shareInterception(
  openWorker,
  (worker) => worker.stop(),
  async (...joined) => joinMsw(...joined),
)

async function openWorker(): Promise<MswWorker> {
  const { setupWorker } = await import('msw/browser')
  const worker = setupWorker()
  // Each major version of msw has its own option.
  const passing = {
    quiet: true,
    onUnhandledRequest: 'bypass',
    onUnhandledFrame: 'bypass',
  } as const
  await worker.start(passing)
  return worker
}

/**
 * `createTest` for Vitest's browser mode, where MSW's worker answers at `plants` and `apps`.
 * @throws the same as in Node.
 */
export function createTest(options: TestOptions = {}): TestAPI<TestFixtures> {
  const create = keepCallerStack(createTest)
  return withCallerStack(createTest, () =>
    extendTest(options, {
      open: openPageHost,
      server: mswWorkerSchema,
      create,
    }),
  )
}

/** Fails in a page when a test uses it: it has no base URLs, and a page has no server. */
export const test: TestAPI<TestFixtures> = createTest()
