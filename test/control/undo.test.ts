import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { toFingerprint } from '../support/fingerprint.ts'
import { parseTrustedJson } from '../../src/core/http/json.ts'
import { isSame } from '../../src/core/text/values.ts'
import { controlFetch } from '../../src/control/answer-call.ts'
import { testControl, type Controlled, expectControlError, stateOf } from '../support/control.ts'
import { times } from '../support/soak.ts'
import { createCaller, open } from '../support/test-api.ts'

type CallRow = readonly [method: string, path: string, body?: unknown]

const key = `/records/keys/${toFingerprint('key_pro')}`
const fern = { id: 77, name: 'Fern', account: 'acct_pro' }

async function change(
  { control }: Controlled,
  [method, path, body]: CallRow,
): Promise<string | null> {
  const reply = await control(method, `/worlds/default${path}`, body)
  expect([path, reply.status, reply.text]).toEqual([
    path,
    expect.toSatisfy((status) => status < 300),
    reply.text,
  ])
  return reply.headers.get('x-greenhouse-undo')
}

const undo = ({ control }: Controlled, id?: string | null) =>
  control('POST', '/worlds/default/undo', id ? { change: id } : {})

/** A world with something to change. */
function arrange(world: World): void {
  world.records.plants.create(fern)
  world.use('slow:ms=1')
  world.use('rate-limited-plan')
  world.assume({ 'plants.delete.unknown': '204' })
  world.snapshot('mine')
  world.clock.freeze()
}

const add: CallRow = ['POST', '/records/plants', { ...fern, id: 78 }]
const rename: CallRow = ['PATCH', '/records/plants/77', { name: 'Ivy' }]
const remove: CallRow = ['DELETE', '/records/plants/77']
const addKey: CallRow = ['POST', '/keys', { account: 'acct_pro' }]
const use = (...active: unknown[]): CallRow => ['POST', '/scenarios', { active }]
const clear: CallRow = ['DELETE', '/scenarios']
const assume = (value: string): CallRow => [
  'PATCH',
  '/assumptions',
  { 'plants.delete.unknown': value },
]
const advance: CallRow = ['PATCH', '/clock', { advance: '1h' }]
const toFree: CallRow = ['PATCH', '/records/accounts/acct_pro', { plan: 'free' }]
const reset: CallRow = ['POST', '/reset']

const changes: readonly (readonly [title: string, call: CallRow])[] = [
  ['a created record', add],
  ['a changed record', ['PATCH', '/records/plants/77', { name: 'Ivy', tag: 'green' }]],
  ['a deleted record', remove],
  [
    'a deleted account with all that belonged to it',
    ['DELETE', '/records/accounts/acct_pro?cascade=true'],
  ],
  ['a deleted record whose dependents stayed', ['DELETE', '/records/accounts/acct_pro?keep=true']],
  ['a replaced collection', ['PUT', '/records/plants', { data: [{ ...fern, id: 79 }] }]],
  ['another plan', toFree],
  ['a created key', addKey],
  ['a revoked key', ['PATCH', key, { revoked: true, expires_at: '2020-01-01T00:00:00Z' }]],
  ['a deleted key', ['DELETE', key]],
  ['a switched scenario', use('expired-key')],
  ['changed options', use('slow:ms=2')],
  ['another order of the scenarios', ['POST', '/scenarios', { active: ['slow:ms=1'], place: 1 }]],
  ['an inline scenario', use({ respond: [{ on: 'apps.get', status: 503 }] })],
  ['replaced scenarios', ['PUT', '/scenarios', { active: ['expired-key', 'slow:ms=3'] }]],
  ['a switched off scenario', ['DELETE', '/scenarios/slow']],
  ['all scenarios switched off', clear],
  ['an assumption', assume('404')],
  ['a clock that was moved', advance],
  ['a clock that was moved past deliveries', ['PATCH', '/clock', { advance: '1d' }]],
  ['a clock that was started', ['PATCH', '/clock', { frozen: false }]],
  ['a reset, with the snapshots that it deleted', reset],
  ['a start as one says', ['PUT', '', { seed: 9, scenarios: ['slow'] }]],
]

for (const [title, call] of changes)
  testControl(`undo takes back ${title}`, async (controlled) => {
    const { world, greenhouse } = controlled
    arrange(world)
    const state = () => [stateOf(greenhouse), world.clock.now()]
    const before = state()
    const id = await change(controlled, call)
    expect(id).toMatch(/./)
    expect(state()).not.toEqual(before)
    expect(await undo(controlled, id)).toMatchObject({ status: 204 })
    expect(state()).toEqual(before)
    // A case of this world, whose clock stands still, starts no clock.
    expect(world.toCase().steps?.at(-1) ?? {}).not.toHaveProperty('clock')
    expectControlError(await undo(controlled, id), 409, 'nothing_to_undo')
  })

const since: readonly (readonly [call: CallRow, then: CallRow, why: RegExp])[] = [
  [add, ['PATCH', '/records/plants/78', { name: 'X' }], /record "78" of "plants" changed since/],
  [add, remove, /record "77" of "plants"/],
  [remove, ['DELETE', '/records/accounts/acct_pro?keep=true'], /record "acct_pro" of "accounts"/],
  [rename, addKey, /record "fp_[\da-f]{12}" of "keys"/],
  [rename, use('expired-key'), /scenario expired-key/],
  [clear, use('slow:ms=9'), /scenario slow/],
  [
    rename,
    ['POST', '/scenarios', { active: ['slow:ms=1'], place: 1 }],
    /the order of the scenarios/,
  ],
  [rename, assume('404'), /assumption plants\.delete\.unknown/],
  [rename, advance, /the clock/],
  [rename, ['POST', '/accounts/acct_pro/refill', {}], /a quota/],
  [remove, reset, /the world, which was reset/],
  [rename, ['PUT', '/records/plants', { data: [] }], /, record|and \d+ more changed since/],
]

for (const [call, then, why] of since)
  testControl(
    `undo of ${call[0]} ${call[1]} is rejected after ${then[0]} ${then[1]}`,
    async (controlled) => {
      const { world, greenhouse, control } = controlled
      arrange(world)
      const former = stateOf(greenhouse)
      const id = await change(controlled, call)
      await change(controlled, then)
      const before = stateOf(greenhouse)
      expectControlError(await undo(controlled, id), 409, 'changed_since', why)
      expectControlError(
        await undo(controlled, id),
        409,
        'changed_since',
        new RegExp(`the snapshot "${id}"`),
      )
      expect(stateOf(greenhouse)).toEqual(before)
      // The state before is there to restore, and that can be taken back, too.
      const restored = await control('POST', `/worlds/default/snapshots/${id}/restore`, {})
      expect(restored.status).toBe(200)
      const { snapshots: _, ...present } = (former as Record<string, unknown>[])[0]!
      expect(stateOf(greenhouse)).toMatchObject([present])
      expect(await undo(controlled)).toMatchObject({ status: 204 })
      expect(stateOf(greenhouse)).toEqual(before)
    },
  )

const rename0: CallRow = ['PATCH', '/records/plants/1', { name: 'Ivy' }]

interface ShownQuota {
  readonly account: string
  readonly minute: { readonly remaining: number }
}

const quotaOfPro = (quotas: readonly ShownQuota[]) =>
  quotas.find(({ account }) => account === 'acct_pro')!.minute.remaining

testControl(
  'requests that change nothing leave an undo, and what they spent comes back',
  async (controlled) => {
    const { call, control, world } = controlled
    world.clock.freeze()
    const left = async () => quotaOfPro((await control('GET', '/worlds/default/quotas')).body.data)
    const before = await left()
    const id = await change(controlled, rename0)
    expect((await call('/v1/apps')).status).toBe(200)
    expect(await left()).toBe(before - 1)
    expect((await undo(controlled, id)).status).toBe(204)
    expect(await left()).toBe(before)
  },
)

for (const [what, before, since] of [
  ['another fraction', '9007199254740990.4', '9007199254740991.4'],
  ['an object in place of a fraction', '9007199254740990.4', '{}'],
  ['a list in place of an object', '{}', '[]'],
  ['a fraction in place of an object', '{}', '9007199254740990.4'],
  [
    'another toJSON beside an integer of 64 bits',
    '{"toJSON":1,"n":1234567890123456789}',
    '{"toJSON":2,"n":1234567890123456789}',
  ],
] as const)
  testControl(`an undo finds that a record got ${what} since`, async (controlled) => {
    const { world } = controlled
    const write = (value: string) =>
      world.records.plants.update(77, {
        extra: parseTrustedJson(`{"value":${value}}`) as Record<string, unknown>,
      })
    arrange(world)
    write(before)
    const id = await change(controlled, rename)
    write(since)
    write(before)
    expect((await undo(controlled, id)).status).toBe(204)
    const again = await change(controlled, rename)
    write(since)
    const refused = await undo(controlled, again)
    expectControlError(refused, 409, 'changed_since')
    expect(refused.text).toContain('the record \\"77\\" of')
  })

testControl('an undo finds that the order of records changed since', async (controlled) => {
  const { world } = controlled
  const id = await change(controlled, add)
  const [first, ...others] = world.records.plants.all()
  world.records.plants.replace([...others, first!])
  const refused = await undo(controlled, id)
  expectControlError(refused, 409, 'changed_since')
  expect(refused.text).toContain('Failed to undo: the order of')
})

testControl(
  'a clock that runs does not go back with a change of something else',
  async (controlled) => {
    const { world } = controlled
    world.clock.advance('1h')
    const id = await change(controlled, rename0)
    const before = world.clock.now()
    expect((await undo(controlled, id)).status).toBe(204)
    expect(world.clock.now()).toBeGreaterThanOrEqual(before)
  },
)

testControl(
  'undo without an id takes back change after change, the last one first',
  async (controlled) => {
    const { world } = controlled
    arrange(world)
    for (const name of ['A', 'B', 'C'])
      await change(controlled, ['PATCH', '/records/plants/77', { name }])
    for (const name of ['B', 'A', 'Fern']) {
      expect((await undo(controlled)).status).toBe(204)
      expect(world.records.plants.get(77)!.name).toBe(name)
    }
    expectControlError(await undo(controlled), 409, 'nothing_to_undo')
  },
)

testControl('a world keeps the state before its last 20 changes', async (controlled) => {
  arrange(controlled.world)
  const ids: (string | null)[] = []
  for (let index = 0; index < 21; index++)
    ids.push(await change(controlled, ['PATCH', '/records/plants/77', { name: `N${index}` }]))
  expect(new Set(ids).size).toBe(21)
  for (let index = 0; index < 20; index++) expect((await undo(controlled)).status).toBe(204)
  expectControlError(await undo(controlled), 409, 'nothing_to_undo', /last 20/)
  expect(controlled.world.records.plants.get(77)!.name).toBe('N0')
})

const large = (id: number, length: number): CallRow => [
  'POST',
  '/records/plants',
  { ...fern, id, name: 'x'.repeat(length) },
]

testControl(
  'what is kept for an undo makes room, the oldest first',
  { memory: 300_000 },
  async (controlled) => {
    const { world, control } = controlled
    const ids: (string | null)[] = []
    for (let id = 1; id <= 4; id++) ids.push(await change(controlled, large(70 + id, 20_000)))
    expect(world.core.memory.used).toBeLessThan(300_000)
    const { id, name } = await world.records.plants.create({
      ...fern,
      id: 80,
      name: 'x'.repeat(150_000),
    })
    expect(name).toHaveLength(150_000)
    for (const gone of ids.slice(0, 3))
      expectControlError(await undo(controlled, gone), 409, 'nothing_to_undo')
    await world.records.plants.delete(id)
    expectControlError(
      await control('POST', '/worlds/default/records/plants', large(81, 400_000)[2]),
      507,
      'data_memory_full',
    )
    expect(world.records.plants.get(81)).toBeUndefined()
    expectControlError(await undo(controlled), 409, 'nothing_to_undo')
  },
)

testControl(
  'an undo that memory is too short to keep still takes back all that came after it',
  { memory: 420_000 },
  async (controlled) => {
    const { world } = controlled
    world.records.plants.create({ ...fern, name: 'x'.repeat(120_000) })
    const shortened = await change(controlled, rename)
    const used = await change(controlled, use({ name: 'slow', ms: 1 }))
    const cleared = await change(controlled, clear)
    // The record that comes back takes so much room that the change itself is forgotten.
    expect((await undo(controlled, shortened)).status).toBe(204)
    expect(world.records.plants.get(77)?.name).toHaveLength(120_000)
    for (const gone of [shortened, used, cleared])
      expectControlError(await undo(controlled, gone), 409, 'nothing_to_undo')
  },
)

testControl('kept states give their memory back', async (controlled) => {
  const { world } = controlled
  await change(controlled, rename0)
  expect((await undo(controlled)).status).toBe(204)
  const { used } = world.core.memory
  await change(controlled, ['PUT', '/records/plants', { data: [fern] }])
  expect(world.core.memory.used).toBeGreaterThan(used)
  expect((await undo(controlled)).status).toBe(204)
  // The world remembers what was changed, and that it was taken back.
  expect(world.core.memory.used).toBeLessThan(used + 2_000)
})

testControl('what changes nothing, or cannot be taken back, has no id', async (controlled) => {
  arrange(controlled.world)
  for (const call of [
    ['PATCH', '/assumptions', { 'plants.delete.unknown': '204' }],
    ['DELETE', '/journal'],
    ['PUT', '/snapshots/other'],
    ['GET', '/records/plants/77'],
  ] as const)
    expect([call, await change(controlled, call)]).toEqual([call, null])
})

testControl('a scenario that comes back has its count', async (controlled) => {
  const { call } = controlled
  const active = [{ respond: [{ on: 'plants.list', status: 503, times: 2 }] }]
  await change(controlled, ['PUT', '/scenarios', { active }])
  const status = async () => (await call('/plants')).status
  expect(await status()).toBe(503)
  await change(controlled, clear)
  expect((await undo(controlled)).status).toBe(204)
  expect([await status(), await status()]).toEqual([503, 200])
})

testControl('the scenarios of headers have their counts back after a reset', async (controlled) => {
  const init = { headers: { 'x-greenhouse-scenario': 'server-error:times=1' } }
  const status = async () => (await controlled.call('/plants', init)).status
  expect([await status(), await status()]).toEqual([500, 200])
  const id = await change(controlled, ['POST', '/reset', {}])
  expect((await undo(controlled, id)).status).toBe(204)
  expect(await status()).toBe(200)
})

testControl('a case repeats a change that was taken back', async (controlled) => {
  const { world, api } = controlled
  await api('GET', '/plants')
  await change(controlled, rename0)
  await api('GET', '/plants/1')
  expect((await undo(controlled)).status).toBe(204)
  const { body } = await api('GET', '/plants/1')
  const { incomplete, steps } = world.toCase()
  expect(incomplete).toBeUndefined()
  expect(
    steps!.map((step) =>
      Object.keys(step).find((name) => /snapshot|put|restore|request/.test(name)),
    ),
  ).toEqual(expect.arrayContaining(['snapshot', 'put', 'restore']))
  expect(body.name).not.toBe('Ivy')
})

testControl('a case says that a reset was taken back', async (controlled) => {
  const { world } = controlled
  await change(controlled, reset)
  world.snapshot('after')
  expect((await undo(controlled)).status).toBe(204)
  expect(world.toCase().incomplete).toBe('a snapshot from before the last reset was restored')
})

testControl('undo does not create a world', async ({ control, greenhouse }) => {
  expectControlError(await control('POST', '/worlds/none/undo', {}), 404, 'unknown_world')
  expect(greenhouse.hasWorld('none')).toBe(false)
})

const ids = [1, 2, 77, 78]
const restoreS: CallRow = ['POST', '/snapshots/s/restore', {}]
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 5, arbitrary })
const step = fc.oneof(
  often(
    fc.record({
      call: fc.constantFrom(
        add,
        remove,
        clear,
        addKey,
        advance,
        reset,
        toFree,
        use('slow:ms=0'),
        use('expired-key'),
      ),
    }),
  ),
  often(
    fc.record({
      call: fc.constantFrom(
        assume('204'),
        assume('404'),
        use({ respond: [{ on: 'apps.get', status: 503 }] }),
      ),
    }),
  ),
  often(
    fc.record({
      call: fc.constantFrom<CallRow>(
        ['POST', '/accounts/acct_pro/refill', {}],
        ['PUT', '/snapshots/s'],
      ),
    }),
  ),
  often(fc.record({ rename: fc.constantFrom(...ids), name: fc.constantFrom('A', 'B') })),
  often(
    fc.record({
      request: fc.constantFrom('GET', 'POST', 'DELETE', 'CANCEL'),
      id: fc.constantFrom(...ids),
    }),
  ),
  often(fc.record({ call: fc.constant<CallRow>(restoreS) })),
  often(fc.record({ restore: fc.nat(3) })),
  often(fc.record({ undo: fc.constantFrom(0, 0, 0, 1, 2) })),
  often(fc.record({ undo: fc.constant(0) })),
  often(
    fc.record({
      rename: fc.constantFrom(...ids),
      name: fc.constantFrom('C', 'x'.repeat(15_000), 'x'.repeat(120_000)),
    }),
  ),
  often(
    fc.record({
      call: fc.constant<CallRow>(['DELETE', '/snapshots/s']),
    }),
  ),
  { weight: 1, arbitrary: fc.record({ restart: fc.constant(true) }) },
)

/**
 * A change that the model knows: what it led from and to. `mark` counts changes that no state
 * shows.
 */
interface Made {
  readonly id: string
  readonly before: unknown
  readonly after: unknown
  readonly mark: number
  readonly snapshots: readonly string[]
}

for (const memory of [undefined, 90_000])
  test(`random histories in ${memory ?? 'enough'} memory: undo leads to the state before, or says what changed`, async () => {
    const reached = { undone: 0, refused: 0, givenUp: 0, full: 0, restarted: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        let { greenhouse, world } = open({ seed: 1, memory })
        const ask = createCaller((path, init) =>
          greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)),
        )
        const send = async ([method, path, body]: CallRow) => {
          const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
          return controlFetch(greenhouse)(
            `http://localhost/__greenhouse/worlds/default${path}`,
            init,
          )
        }
        const shown = () => {
          const [{ journal: _, snapshots: __, ...rest }] = stateOf(greenhouse) as [
            Record<string, unknown>,
          ]
          // A reset starts the clock, as that of a new world.
          return { ...rest, now: world.clock.frozen && world.clock.now() }
        }
        const state = () => ({ ...shown(), due: world.core.clock.due(100), mark })
        let mark = 0
        let marks = 0
        let markOfS = 0
        let made: Made[] = []
        let snapshots: readonly string[] = []
        for (const one of steps) {
          expect([...world.snapshots].sort()).toEqual(snapshots)
          if (memory !== undefined) expect(world.core.memory.used).toBeLessThanOrEqual(memory)
          if ('request' in one) {
            if (one.request === 'CANCEL') {
              // Its end is due later, unless a change of the plan ends it first.
              await ask('DELETE', '/v1/subscription', { key: 'key_pro' })
              continue
            }
            const body = one.request === 'POST' ? { id: one.id, name: 'R' } : undefined
            const path = one.request === 'DELETE' ? `/plants/${one.id}` : '/plants'
            await ask(one.request, path, { body })
            continue
          }
          if ('restart' in one) {
            const saved = world.toState()
            const before = shown()
            greenhouse = createGreenhouse({ memory, case: saved })
            world = greenhouse.world()
            expect(shown()).toEqual(before)
            made = []
            snapshots = []
            reached.restarted++
            continue
          }
          const before = state()
          const chosen =
            'undo' in one
              ? made.at(-1 - one.undo)
              : 'restore' in one
                ? made.at(-1 - one.restore)
                : undefined
          if ('undo' in one) {
            if (!chosen) continue
            const reply = await send(['POST', '/undo', { change: chosen.id }])
            const isKept = world.core.state.saved.findChange(chosen.id) !== undefined
            const isUnchanged = isSame(chosen.after, before)
            const text = await reply.text()
            if (reply.status === 409 && text.includes('nothing_to_undo')) {
              // Those before it went before it.
              expect(memory ?? made.length - made.indexOf(chosen)).toBeGreaterThan(20)
              made = made.slice(made.indexOf(chosen) + 1)
              reached.givenUp++
              continue
            }
            expect([isUnchanged, isKept, reply.status]).toEqual([
              isUnchanged,
              !isUnchanged,
              isUnchanged ? 204 : 409,
            ])
            if (isUnchanged) {
              mark = chosen.mark
              snapshots = [...new Set([...snapshots, ...chosen.snapshots])].sort()
              made = made.slice(0, made.indexOf(chosen))
            } else expect(text).toMatch(/changed since/)
            expect(state()).toEqual(isUnchanged ? chosen.before : before)
            reached[isUnchanged ? 'undone' : 'refused']++
            continue
          }
          const formerMark = mark
          let call: CallRow
          if ('restore' in one) {
            if (!chosen) continue
            call = ['POST', `/snapshots/${chosen.id}/restore`, {}]
            if (world.core.state.saved.findChange(chosen.id)) mark = chosen.mark
          } else if ('rename' in one)
            call = ['PATCH', `/records/plants/${one.rename}`, { name: one.name }]
          else call = one.call
          const former = snapshots
          const isKept = chosen && world.core.state.saved.findChange(chosen.id)
          const reply = await send(call)
          if (reply.status >= 400) {
            expect(state()).toEqual(before)
            if ((await reply.text()).includes('data_memory_full')) reached.full++
            continue
          }
          const isReset = call[1] === '/reset'
          if (isReset) snapshots = []
          if (call[1] === '/snapshots/s') {
            snapshots = call[0] === 'DELETE' ? [] : ['s']
            markOfS = mark
          }
          if (call === restoreS) mark = markOfS
          if (isKept) expect(state()).toEqual(chosen!.before)
          const id = reply.headers.get('x-greenhouse-undo')
          if (id === null) continue
          if (/refill|reset|clock/.test(call[1])) mark = ++marks
          const deleted = isReset ? former : []
          made.push({ id, before, after: state(), mark: formerMark, snapshots: deleted })
        }
      }),
      { numRuns: times(100, 20) },
    )
    const many = expect.toSatisfy((count: number) => count > times(10, 0))
    const isSmall = memory !== undefined
    expect(reached).toEqual({
      undone: many,
      refused: many,
      restarted: many,
      givenUp: isSmall ? expect.toSatisfy((count: number) => count > 0) : 0,
      full: isSmall ? many : 0,
    })
  })
