import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { stubPage } from '../environment/page.ts'
import { stateOf } from '../support/control.ts'
import { takeOutput } from '../support/output.ts'

/** Lets pages keep their state, for one test. Returns a function that makes the page write. */
function stubStorage(stored = new Map<string, string>(), storage: object | null = {}) {
  let hide = () => {}
  const working = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
  }
  stubPage({
    get localStorage() {
      return storage ? { ...working, ...storage } : reject()
    },
    addEventListener: (_: string, flush: () => void) => (hide = flush),
    removeEventListener() {},
  })
  return () => hide()
}

const reject = (): never => {
  throw new DOMException('It is not allowed.', 'SecurityError')
}

test('a tab that follows the reset of another takes its seed and restarts header scenarios', async () => {
  stubStorage()
  const [first, second] = [1, 2].map((seed) => createGreenhouse({ seed, persist: 'local' })) as [
    Greenhouse,
    Greenhouse,
  ]
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'flaky:failures=1' }
  const ask = async () => (await second.fetch(new Request('http://any/plants', { headers }))).status
  try {
    first.world().reset({ seed: 3 })
    await expect.poll(() => second.world().seed).toBe(3)
    expect([await ask(), await ask()]).toEqual([500, 200])
    first.world().reset({ seed: 4 })
    await expect.poll(() => second.world().seed).toBe(4)
    expect([await ask(), await ask()]).toEqual([500, 200])
  } finally {
    first.close()
    second.close()
  }
})

const plants = { replace: [{ id: 7, name: 'Fern', account: 'acct_pro' }] }
const own = { plants, keys: { put: [{ secret: 'key_mine', account: 'acct_pro' }] } }
const scenarios = ['expired-key:key=key_mine']

test.each([
  [
    'an invalid record',
    { records: { plants, purchases: { put: [{ id: 'x' }] } } },
    /purchases\.put\.0\.account/,
  ],
  ['an unknown assumption', { records: own, scenarios, assumptions: { nope: 'x' } }, /"nope"/],
  ['an unknown scenario', { records: own, scenarios: [...scenarios, 'nope'] }, /"nope"/],
  ['an unreadable time', { records: own, made: 'x' }, /made\.at: expected a time/],
])(
  'a stored state with %s changes nothing, in a new page or in an open one',
  async (_, state, reason) => {
    const { made = '2026-01-01T00:00:00Z', ...start } = state as { made?: string }
    const text = JSON.stringify({ case: 1, made: { by: 'x', at: made }, start })
    stubStorage(new Map([['greenhouse-mock', text]]))
    const now = '2026-01-01T00:00:00Z'
    const page = createGreenhouse({ now, persist: 'local' })
    const tab = new BroadcastChannel('greenhouse-mock')
    const printed: string[] = []
    onTestFinished(() => (page.close(), tab.close()))
    tab.postMessage(text)
    await expect.poll(() => printed.push(...takeOutput())).toBe(2)
    expect(printed).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)])
    expect(stateOf(page)).toEqual(stateOf(createGreenhouse({ now })))
  },
)

test('a kept state has scenarios that name keys of the same state', () => {
  stubStorage(
    new Map([['greenhouse-mock', JSON.stringify({ case: 1, start: { records: own, scenarios } })]]),
  )
  const page = createGreenhouse({ persist: 'local' })
  expect(page.world().scenarios).toEqual(['expired-key'])
  page.close()
})

test.each([
  ['use', { use: ['slow:ms=1'] }],
  ['fixtures', { fixtures: { accounts: [] } }],
] as const)(
  'code that changes "%s" is told that the kept state overrules it, until a reset',
  (_, changed) => {
    const stored = new Map<string, string>()
    const load = (options: object, change: (greenhouse: Greenhouse) => void = () => {}) => {
      const write = stubStorage(stored)
      const page = createGreenhouse({ persist: 'local', ...options })
      change(page)
      write()
      page.close()
      return takeOutput().map((line) => line.includes('overrules "use" and "fixtures"'))
    }
    expect(load({}, (page) => page.world().clock.freeze())).toEqual([])
    expect(load({})).toEqual([])
    expect(load(changed)).toEqual([true])
    expect(load(changed, (page) => page.world().reset())).toEqual([true])
    expect(load(changed)).toEqual([])
  },
)

const small = (_: string, text: string) => text.length > 1_000 && reject()

test.each<[what: string, storage: object | null, stored: string, warning: string]>([
  [
    'is full',
    { setItem: reject },
    '',
    'failed to save its state in localStorage: It is not allowed.',
  ],
  [
    'has room for a small state only',
    { setItem: small },
    '',
    'failed to save its state in localStorage',
  ],
  [
    'cannot be read',
    { getItem: reject },
    '',
    'failed to read its state from localStorage: It is not allowed.',
  ],
  [
    'is forbidden to the page',
    null,
    '',
    'failed to read its state from localStorage: It is not allowed.',
  ],
  [
    'has no room to move an unreadable state',
    { setItem: small },
    'x'.repeat(2_000),
    'is still in "greenhouse-mock"',
  ],
])(
  'a storage that %s is reported once, and the page goes on in memory',
  (_, storage, stored, warning) => {
    const write = stubStorage(new Map(stored === '' ? [] : [['greenhouse-mock', stored]]), storage)
    const page = createGreenhouse({ persist: 'local' })
    const { plants } = page.world().records
    for (const name of ['x'.repeat(2_000), 'Fern', 'x'.repeat(2_000)]) {
      plants.update(1, { name })
      write()
    }
    expect(plants.get(1)!.name).toHaveLength(2_000)
    page.close()
    expect(takeOutput()).toEqual([expect.stringContaining(warning)])
  },
)
