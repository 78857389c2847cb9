import { expect } from 'vitest'
import type { JournalEntry } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'

testApi('an entry records the whole request and its reply', {}, async ({ world, call }) => {
  const answer = await call('POST', '/plants?trial=1', {
    body: { id: 9_001, name: 'Ömür', tag: 'x' },
    headers: { 'x-own': 'value' },
  })
  expect(world.journal.calls()).toEqual([
    {
      id: 1,
      at: '2026-03-01T12:00:30.000Z',
      operation: 'plants.create',
      world: 'default',
      account: 'acct_pro',
      request: {
        method: 'POST',
        url: '/plants?trial=1',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'x-own': 'value' }),
        body: '{"id":9001,"name":"Ömür","tag":"x"}',
      },
      response: {
        status: 200,
        headers: expect.objectContaining({ 'Content-Type': 'application/json' }),
        body: answer.text,
      },
      bytes: new TextEncoder().encode(answer.text).length,
      scenarios: [],
      violations: [
        { rule: 'unknown-query', message: '"trial" is not a query parameter of this operation.' },
      ],
      assumptions: expect.arrayContaining(['plants.create.id-range', 'plants.body.includes-id']),
      ms: expect.any(Number),
    },
  ])
})

testApi('an entry names only what its reply depends on', async ({ world, call }) => {
  for (const query of ['', '?trial=1'])
    await call('POST', `/v1/apps${query}`, { body: { name: 'fern' } })
  expect(
    world.journal.calls().map(({ assumptions }) => assumptions.includes('apps.unknown-query')),
  ).toEqual([false, true])
})

testApi('a reply without a body has none in the journal', async ({ world, call }) => {
  await call('DELETE', '/plants/101')
  await call('HEAD', '/plants')
  const entries = world.journal
    .calls()
    .map(({ request, response }) => [request.body || undefined, response])
  expect(entries).toMatchObject(
    [204, 200].map((status) => [undefined, { status, body: undefined }]),
  )
})

testApi('ids count up from 1, and go on after a clear', async ({ world, call }) => {
  for (let count = 0; count < 3; count++) await call('GET', '/plants')
  expect(world.journal.calls().map(({ id }) => id)).toEqual([1, 2, 3])
  world.journal.clear()
  expect(world.journal.calls()).toEqual([])
  await call('GET', '/plants')
  expect(world.journal.calls().map(({ id }) => id)).toEqual([4])
})

testApi(
  'each scenario and assumption that shaped a reply is named once',
  async ({ world, call }) => {
    world.use('rate-limited-plan', { remaining: 5 })
    world.use('server-error', { on: 'plants.*' })
    await call('GET', '/v1/apps')
    await call('GET', '/plants')
    const [apps, plants] = world.journal.calls()
    expect(apps!.scenarios).toEqual(['rate-limited-plan'])
    expect(plants!.scenarios, 'the error carries the headers of the limit').toEqual([
      'rate-limited-plan',
      'server-error',
    ])
    expect(apps!.assumptions).toEqual(
      expect.arrayContaining(['rate-limit.window', 'apps.list.shape']),
    )
    expect(apps!.assumptions).not.toContain('plants.list.order')
    for (const { assumptions } of [apps!, plants!])
      expect(new Set(assumptions).size).toBe(assumptions.length)
  },
)

testApi('entries that are read or observed are copies', async ({ world, call }) => {
  world.journal.subscribe((entry) => void (entry && (entry.request.headers['x'] = 'changed')))
  await call('GET', '/plants')
  const [entry] = world.journal.calls()
  entry!.request.headers['authorization'] = 'changed'
  entry!.response.headers['Content-Type'] = 'changed'
  entry!.scenarios.push('changed')
  entry!.assumptions.length = 0
  const [again] = world.journal.calls()
  expect(again).not.toEqual(entry)
  expect(JSON.stringify(again)).not.toContain('changed')
})

testApi(
  'a listener gets every entry from then on, as the journal has it',
  async ({ world, call }) => {
    await call('GET', '/plants')
    const seen: (JournalEntry | undefined)[] = []
    world.journal.subscribe((entry) => seen.push(entry))
    await call('GET', '/v1/apps')
    await call('GET', '/v1/app')
    expect(seen).toEqual(world.journal.calls().slice(1))
  },
)

testApi('an unsubscribed listener gets no more entries, others do', async ({ world, call }) => {
  const seen: string[] = []
  const listener = () => seen.push('same')
  const stops = [world.journal.subscribe(listener), world.journal.subscribe(listener)]
  world.journal.subscribe(() => seen.push('other'))
  await call('GET', '/plants')
  expect(seen).toEqual(['same', 'same', 'other'])
  stops[0]!()
  stops[0]!()
  seen.length = 0
  await call('GET', '/plants')
  expect(seen).toEqual(['same', 'other'])
})

testApi('a listener can unsubscribe while it is called', async ({ world, call }) => {
  let count = 0
  const stop = world.journal.subscribe(() => {
    count++
    stop()
  })
  await call('GET', '/plants')
  await call('GET', '/plants')
  expect(count).toBe(1)
})

testApi(
  'a reset or a deletion ends the journal, and its listeners hear no more',
  {},
  async ({ greenhouse, call }) => {
    const seen: unknown[] = []
    for (const end of [() => greenhouse.world('a').reset(), () => greenhouse.deleteWorld('a')]) {
      greenhouse.world('a').journal.subscribe((entry) => seen.push(entry))
      end()
      await call('GET', '/~a/plants')
    }
    greenhouse.world('a').reset()
    expect(seen).toEqual([undefined, undefined])
  },
)

testApi(
  'the journal says why each effect acted on a request or did not',
  async ({ world, call }) => {
    world.use('flaky', { failures: 1, on: 'plants.list' })
    world.use('key-expires-mid-session')
    await call('GET', '/plants')
    await call('GET', '/plants')
    await call('GET', '/v1/apps')
    const entries = world.journal.calls()
    expect(entries.map(({ scenarios }) => scenarios)).toEqual([['flaky'], [], []])
    const told = entries.map(({ verdicts }) =>
      verdicts!.map(({ scenario, effect, fired, why }) => `${scenario} ${effect} ${fired}: ${why}`),
    )
    const unchanged = (count: number) =>
      `key-expires-mid-session keys.0 false: matching request ${count}, but there was nothing to change`
    expect(told).toEqual([
      ['flaky respond.0 true: matching request 1', unchanged(1)],
      ['flaky respond.0 false: it acts once, and already did', unchanged(2)],
      ['flaky respond.0 false: it acts on other operations', unchanged(3)],
    ])
    world.clear()
    await call('GET', '/plants')
    expect(world.journal.calls().at(-1)).not.toHaveProperty('verdicts')
  },
)

testControl(
  'the control API shows the verdicts, and the HAR these and the reason',
  async ({ control, call, world }) => {
    world.use('every-third-fails')
    await call('/plants')
    await call('/v1/nothing')
    const { body } = await control('GET', '/worlds/default/journal')
    const har = (await control('GET', '/worlds/default/journal.har')).body
    expect(har.log.entries[0]._greenhouse.verdicts).toEqual(body.data[0].verdicts)
    expect(har.log.entries[1]._reason).toBe('There is no path /v1/nothing')
    expect(body.data[0].verdicts).toEqual([
      {
        scenario: 'every-third-fails',
        effect: 'respond.0',
        fired: false,
        why: expect.stringContaining('every 3'),
      },
    ])
  },
)
