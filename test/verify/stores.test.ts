import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient, createReceive } from '../../src/node-http/verify-http.ts'
import type { Receive } from '../../src/contract/verify/session.ts'
import type { VerifyReport } from '../../src/contract/verify/verify.ts'
import {
  assumptions,
  brokenOf,
  isRule,
  verifyGreenhouse,
  verifyStore,
  verifyTargets,
} from './against.ts'
import { serveHttp } from './servers.ts'
import { Store } from './store.ts'
import express from 'express'
import type { AssumptionChoices } from 'greenhouse-mock'
import { soaks, times } from '../support/soak.ts'

const storeOf = (changes: Partial<Store>) => Object.assign(new Store(), changes)

const unseenOf = ({ rules }: VerifyReport) =>
  rules.filter(({ area, outcome }) => area === 'plants' && outcome === 'unseen').map(({ id }) => id)

const remaining = (store: Store) => store.plants.filter((plant) => !store.isGone(plant))

/** Lists as they may be: nothing of it is stated otherwise. */
test.each<[string, Partial<Store>]>([
  ['that is correct', {}],
  ['whose list shows changes 400 ms late', { lag: 400 }],
  ['whose list shows changes 1.5 s late', { lag: 1_500 }],
  ['whose list takes a limit of 100 at most', { most: 100 }],
  ['whose list takes a limit of 50 at most', { most: 50 }],
  ['whose list takes a limit of 30 at most', { most: 30 }],
])('every rule of plants is kept by a store %s', async (_, changes) => {
  const store = storeOf(changes)
  const report = await verifyStore(store)
  expect([brokenOf(report), unseenOf(report), report.left, remaining(store)]).toEqual([
    [],
    [],
    [],
    [],
  ])
})

test('a list later than --read-lag is reported as late, and no other rule is judged by it', async () => {
  const store = storeOf({ lag: 3_000 })
  const report = await verifyStore(store, { only: () => true })
  expect(brokenOf(report)).toEqual(['plants.create.listed'])
  // Only the second plant of an id is left, although the list still has deleted ones.
  expect(report.left).toEqual(remaining(store).map(({ name }) => `the plant "${name}"`))
  expect(report.left).toHaveLength(1)
  expect(
    report.probes.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id),
  ).not.toContain('plants.list.limit-default')
  const why = 'the plant is not in the list within 2 s. Allow more with --read-lag'
  expect(report.rules.find(({ id }) => id === 'plants.delete.auth')).toMatchObject({
    outcome: 'unseen',
    why,
  })
  expect(brokenOf(await verifyStore(storeOf({ lag: 3_000 }), { readLag: 5_000 }))).toEqual([])
})

test('a list without names is one finding', async () => {
  const store = new Store()
  const tagsOf = (owner: string) => store.seenBy(owner).map(({ tag }) => ({ tag }))
  store.list = (owner) => store.json(200, tagsOf(owner))
  store.plants.push({ id: 1n, name: 'Ficus', tag: 'tree', owner: 'own', since: 0, until: Infinity })
  const report = await verifyStore(store)
  expect(brokenOf(report)).toEqual(['plants.list.reply'])
  const needNames = ['list.own', 'create.listed', 'create.int64'].concat(
    ['auth', 'gone', 'single', 'int64', 'own'].map((rule) => `delete.${rule}`),
  )
  expect(unseenOf(report)).toEqual(
    expect.arrayContaining(needNames.map((rule) => `plants.${rule}`)),
  )
})

test.each([
  [100, true],
  [20, true],
  [20, false],
])(
  'a list of only %i of 150 plants proves nothing, whether it rejects more or not: %s',
  async (most, rejects) => {
    const store = storeOf({ most: rejects ? most : Infinity })
    const list = store.list.bind(store)
    if (!rejects)
      store.list = (owner, query) => {
        const limit = Math.min(most, Number(query.get('limit') ?? most))
        return list(owner, new URLSearchParams({ limit: String(limit) }))
      }
    for (let id = 1n; id <= 150n; id++)
      store.plants.push({ id, name: `Plant ${id}`, owner: 'own', since: 0, until: Infinity })
    const report = await verifyStore(store)
    expect(brokenOf(report)).toEqual([])
    expect(unseenOf(report)).toEqual(
      expect.arrayContaining(['plants.create.listed', 'plants.delete.single']),
    )
    expect(remaining(store)).toHaveLength(150)
  },
)

const gapsOf = ({ probes }: VerifyReport) =>
  Object.fromEntries(
    probes.map((gap) => [gap.id, gap.outcome === 'value' ? gap.value : gap.outcome] as const),
  )

test('gaps are found in a late list as in a prompt one', async () => {
  const run = (changes: Partial<Store>) =>
    verifyStore(storeOf(changes), { only: (id) => id.startsWith('plants.') })
  expect(gapsOf(await run({ lag: 400 }))).toEqual(gapsOf(await run({})))
})

test('one answer of 503 in a run, before or after the work is done, accuses nobody', async () => {
  for (let failing = 2; failing < 200; failing += times(5, 50)) {
    let count = 0
    const store = new Store()
    const own = store.answer.bind(store)
    store.answer = (asked) => {
      const isOne = ++count === failing
      const answered = isOne && failing % 2 === 0 ? undefined : own(asked)
      return isOne
        ? { status: 503, headers: { 'content-type': 'text/html' }, text: '<p>Later.</p>' }
        : answered!
    }
    expect(brokenOf(await verifyStore(store)), `request ${failing}`).toEqual([])
  }
})

test('an id that only replies to creations have is no known choice', async () => {
  const store = new Store()
  store.create = (owner, text) => {
    store.keep(owner, store.read(text)!)
    return store.json(200, JSON.parse(text))
  }
  const { probes } = await verifyStore(store, { only: (id) => id === 'plants.body.includes-id' })
  expect(probes).toMatchObject([
    { outcome: 'unknown', why: 'the id is only in replies to creations' },
  ])
})

test('a plant that a server makes of a list is taken away by its id', async () => {
  const store = new Store()
  const own = store.read.bind(store)
  store.read = (text) => own(text.startsWith('[') ? text.slice(1, -1) : text)
  const report = await verifyStore(store)
  expect([brokenOf(report), report.left]).toEqual([['plants.create.refuses.no-object'], []])
})

function verifyAt(url: string, store: Store) {
  const { send, close } = createHttpClient()
  onTestFinished(close)
  return verifyStore(store, { targets: { plants: url }, send, timeout: 30_000 })
}

/** Serves a store, with its bodies as bytes. */
async function verifyServed(change: Served) {
  const store = new Store()
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const url = `http://store.test${request.url}`
    const headers = { Authorization: request.headers.authorization! }
    const reply = store.answer({ method: request.method!, url, headers, body })
    const sent = { ...reply.headers }
    const text = change(reply.text, sent)
    response.writeHead(reply.status, sent).end(text)
  }
  return verifyAt(await serveHttp((request, response) => void listener(request, response)), store)
}

type Served = (text: string, headers: Record<string, string>) => Uint8Array | string

const as =
  (type: string, encode: (text: string) => Uint8Array | string = (text) => text): Served =>
  (text, headers) => {
    if (headers['content-type']) headers['content-type'] = type
    return encode(text)
  }
const toLatin1 = (text: string, toSign: (sign: string) => string) =>
  Buffer.from(text.replace(/[\u0100-\uffff]/g, toSign), 'latin1')
// Characters beyond the encoding are escaped, as JSON allows.
const escaped = (text: string) =>
  toLatin1(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
const isDeclared = expect.stringMatching(
  /: the body is not in UTF-8, and is declared as iso-8859-1$/,
)

test.each<[what: string, change: Served, broken: string[], json: object]>([
  [
    'iso-8859-1',
    as('application/json; charset=iso-8859-1', escaped),
    ['plants.json'],
    { why: isDeclared },
  ],
  ['UTF-8, called iso-8859-1', as('application/json; charset=iso-8859-1'), [], { outcome: 'kept' }],
  ['UTF-8, called so', as('application/json;charset=UTF-8'), [], { outcome: 'kept' }],
  ['UTF-8, with capitals', as('Application/JSON'), [], { outcome: 'kept' }],
  [
    'an undeclared encoding',
    (text) => toLatin1(text, () => '?'),
    ['plants.create.unicode', 'plants.json'],
    {},
  ],
])(
  'a body is JSON only in UTF-8, and what it says is read in any case: %s',
  async (_, change, broken, json) => {
    const report = await verifyServed(change)
    expect(brokenOf(report)).toEqual(broken)
    expect(report.rules.find(({ id }) => id === 'plants.json')).toMatchObject(json)
  },
)

test('an endless body is reported as too large, and not as cut off', async () => {
  const chunk = Buffer.alloc(2 ** 20, ' ')
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  await expect(verifyAt(url, new Store())).rejects.toThrow(
    `Failed to reach --target-plants: GET ${url}/plants: the reply is larger than 64 MiB.`,
  )
})

function createImitation() {
  const plants = new Map<number, { id: number; name: string; tag?: string }>()
  const app = express().disable('x-powered-by')
  app.use(express.json())
  app.use((request, response, next) =>
    request.get('authorization') === 'Bearer key_pro'
      ? next()
      : response.status(401).json({ message: 'No.' }),
  )
  app.get('/plants', (_, response) => response.json([...plants.values()]))
  app.post('/plants', (request, response) => {
    if (!request.body?.name) return response.status(400).json({ error: 400, message: 'No name.' })
    plants.set(request.body.id, request.body)
    return response.status(201).json(request.body)
  })
  app.delete('/plants/:id', (request, response) =>
    response.json({ deleted: plants.delete(Number(request.params.id)) }),
  )
  return app
}

test('every difference of an Express imitation of the plant store is found, and nothing else', async () => {
  const plants = await serveHttp(createImitation())
  const report = await verifyTargets(
    { plants },
    { otherKey: undefined, limitedKey: undefined, expiredKey: undefined },
  )
  expect(brokenOf(report).sort()).toEqual([
    'plants.create.int64',
    'plants.create.refuses.id-fraction',
    'plants.create.refuses.id-range',
    'plants.create.refuses.id-text',
    'plants.create.refuses.name-type',
    'plants.create.refuses.no-id',
    'plants.create.refuses.tag-type',
    'plants.create.status',
    'plants.delete.no-body',
    'plants.errors.body',
    'plants.json',
  ])
  expect(gapsOf(report)).toMatchObject({
    // It has no limit.
    'plants.list.limit-name': 'unknown',
    'plants.list.limit-zero': 'unseen',
    'plants.list.limit-default': 'all',
    'plants.list.order': 'created',
    'plants.unknown-query': 'ignore',
    'plants.create.duplicate-id': 'replace',
    'plants.create.unknown-fields': 'keep',
    'plants.create.id-range': 'any',
    // It accepts any non-empty name.
    'plants.name.length': 'unknown',
    'plants.body.includes-id': 'yes',
    'plants.delete.status': '200',
    // It answers 200 and says that nothing was deleted.
    'plants.delete.unknown': 'unknown',
    'plants.delete.invalid-id': 'unknown',
    'plants.unknown-method': '404',
    'plants.body.too-large': '413',
    // It reads gzip.
    'plants.body.encoding': 'unknown',
    'plants.body.type': '400',
    'plants.rate-limits': 'off',
  })
  // A plant that it stores without an id. Those with an id of more than 64 bits, or a text as their
  // id, are deleted.
  expect(report.left).toEqual([expect.stringMatching(/^the plant "greenhouse-verify-/)])
})

/**
 * Looking for the default limit makes a hundred plants, which takes half of the time: unless the
 * tests run at full size that is done where it matters.
 */
const isCostly = (id: string) => id === 'plants.list.limit-default' && !soaks

/** The other gaps are looked into where the tests run at full size. */
const isNear = (id: string, name: string) =>
  soaks ||
  name === 'the defaults' ||
  id.split('.')[0] === name.split('.')[0] ||
  hiddenBy[name] === id

/**
 * Values that no client can tell apart. The reasons are in `src/contract/verify/verify.ts` or in
 * the gap itself.
 */
const hidden: Readonly<Record<string, readonly string[]>> = {
  'http.date': ['world', 'machine'],
  'rate-limit.rejected': ['free', 'counted'],
  'rate-limit.reported': ['tightest', 'minute'],
  'webhooks.timestamp': ['sent', 'due', 'real'],
  'payments.renewal-retries': ['standard', 'none'],
  'payments.unpaid': ['cancel', 'past_due'],
  'webhooks.rotation-overlap': ['24h', '1h'],
  'deployments.dns': ['pending', 'after-1h'],
  'payments.settle': ['1h'],
}

const hiddenBy: Readonly<Record<string, string>> = {
  'deployments.dns=pending': 'deployments.certificate',
  'deployments.dns=after-1h': 'deployments.certificate',
}

/** The values that are not what the reference states. */
const breaks: Readonly<Record<string, readonly string[]>> = {
  'rate-limit.unauthenticated=absent': [
    'apps.headers.limit',
    'apps.headers.remaining',
    'apps.headers.reset',
  ],
}

const variants: [name: string, choice: Readonly<Record<string, string>>][] = [
  ['the defaults', {}],
  ...assumptions.flatMap(({ id, values }) =>
    values
      .slice(1)
      .map((value): [string, Record<string, string>] => [`${id}=${value}`, { [id]: value }]),
  ),
]

/** Unless the tests run at full size, of the alternatives one in twelve, the defaults among them. */
const tried = variants.filter((_, index) => soaks || index % 12 === 0)

for (const [name, choice] of tried)
  test(`all rules are kept and every gap is recognised under ${name}`, async () => {
    const needsLimit = name === 'the defaults' || name.startsWith('rate-limit.')
    const skipsCostly = name !== 'the defaults' && !name.startsWith('plants.list.')
    const rate = needsLimit ? {} : { rate: Infinity }
    const only = (id: string) =>
      (isRule(id) || isNear(id, name)) &&
      id !== 'webhooks.timeout' &&
      !(skipsCostly && isCostly(id))
    const { report } = await verifyGreenhouse(
      { rateLimit: needsLimit, slow: true, ...rate, only },
      choice as AssumptionChoices,
    )
    expect(report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual(
      breaks[name] ?? [],
    )
    expect(report.rules.length).toBeGreaterThan(50)
    expect(report.left).toEqual([])
    const seen = new Map(report.probes.map((gap) => [gap.id, gap]))
    const wrong = assumptions.flatMap(({ id, values }) => {
      const set = choice[id] ?? values[0]!
      const found = seen.get(id)
      // That takes its time, and has a test of its own.
      if (!isNear(id, name) || id === 'webhooks.timeout' || (skipsCostly && isCostly(id))) return []
      if (!needsLimit && ['rate-limit.window', 'rate-limit.retry-after'].includes(id)) return []
      if (hidden[id]?.includes(set) || hiddenBy[name] === id)
        return found?.outcome === 'unseen' ? [] : [{ id, set, found }]
      return found?.outcome === 'value' && found.value === set ? [] : [{ id, set, found }]
    })
    expect(wrong).toEqual([])
  })

/** Receivers that take a wait for the nearest of the values: a busy machine is late. */
const receiveOnBusyMachine: Receive = async () => {
  const receiver = await createReceive({ now: Date.now })()
  const untilGivenUp = receiver.untilGivenUp.bind(receiver)
  return Object.assign(receiver, {
    async untilGivenUp(patience: number) {
      const waited = (await untilGivenUp(patience)) ?? 0
      return [1_000, 5_000, 15_000, 30_000].findLast((time) => time * 0.6 <= waited)
    },
  })
}

for (const timeout of soaks ? (['15s', '1s', '5s', '30s'] as const) : (['1s'] as const))
  test(`a receiver that does not answer shows that deliveries wait ${timeout}`, async () => {
    const only = (id: string) => id === 'webhooks.timeout'
    const options = { only, slow: true, receive: receiveOnBusyMachine }
    const { report } = await verifyGreenhouse(options, { 'webhooks.timeout': timeout })
    expect(report.probes).toMatchObject([
      { id: 'webhooks.timeout', outcome: 'value', value: timeout },
    ])
  })
