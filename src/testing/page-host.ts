import type { Greenhouse } from '../api/greenhouse.ts'
import { joinMsw } from './join-msw.ts'
import type { MswWorker } from './msw-server.ts'
import { hasBases, toBases, type Reach, type TestHost } from './reach.ts'
import { shareInterception } from './share-interception.ts'

export async function openPageHost(greenhouse: Greenhouse, reach: Reach): Promise<TestHost> {
  if (!hasBases(reach))
    throw new Error(
      'Failed to start a server for this test: it runs in a browser page, which cannot host one. Give createTest() the base URLs of your client, so that MSW answers there: createTest({ plants, apps }).',
    )
  const bases = toBases(reach)
  const joining = { bases, answersAll: reach.answersAll }
  const leave = reach.server ? joinMsw(reach.server, greenhouse, joining) : await joinOwn(greenhouse, joining)
  return { ...bases, close: async () => leave() }
}

const joinOwn = shareInterception(openWorker, (worker) => worker.stop())

async function openWorker(): Promise<MswWorker> {
  const { setupWorker } = await import('msw/browser')
  const worker = setupWorker()
  // Each major version of msw has its own option.
  const passing = { quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const
  await worker.start(passing)
  return worker
}
