import { expect, test } from 'vitest'
import { Query } from 'greenhouse-mock/data'
import { createGreenhouse, type Plant } from 'greenhouse-mock'
import { open, testApi } from '../support/test-api.ts'

const { plants, deployments, apps } = createGreenhouse({
  fixtures: {
    accounts: [{ id: 'acct_a', name: 'A', email: 'a@example.com', plan: 'pro' }],
    plants: [
      { id: 1, name: 'Fern', tag: 'shade', account: 'acct_a' },
      { id: 2, name: 'Ficus', account: 'acct_a' },
      {
        id: 3,
        name: 'Aloe',
        tag: 'sun',
        account: 'acct_a',
        extra: { soil: ['sand', 'loam'], pot: { size: 3 } },
      },
      { id: 4, name: 'Fern', tag: 'sun', account: 'acct_a' },
    ],
    apps: [null, '-5', '5'].map((description, id) => ({
      id: `app_${id}`,
      account: 'acct_a',
      name: 'A',
      description,
    })),
  },
}).world().records
const ids = (found: readonly Readonly<Plant>[]) => found.map(({ id }) => id)

test('find takes conditions on fields (values or functions), a function, or a Query of @msw/data', () => {
  expect(ids(plants.find({ name: 'Fern' }))).toEqual([1, 4])
  expect(ids(plants.find({ name: (name) => name.startsWith('F'), tag: 'sun' }))).toEqual([4])
  expect(ids(plants.find(({ tag }) => tag === undefined))).toEqual([2])
  expect(ids(plants.find({}))).toEqual([1, 2, 3, 4])
  expect(ids(plants.find({ extra: { soil: ['sand', 'loam'], pot: { size: 3 } } }))).toEqual([3])
  expect(ids(plants.find({ extra: { soil: ['sand'] } }))).toEqual([])
  expect(ids(plants.find({ extra: { pot: { size: 3n } } }))).toEqual([3])
  expect(ids(plants.find({ name: expect.stringContaining('er') as string }))).toEqual([1, 4])
  expect(ids(plants.find(new Query<Plant>().where({ name: 'Fern' }).and({ tag: 'sun' })))).toEqual([
    4,
  ])
  expect(
    ids(plants.find(new Query<Plant>().where({ name: 'Aloe' }).or({ name: 'Ficus' }))),
  ).toEqual([2, 3])
})

test('found records are sorted by fields in order, and limited', () => {
  expect(ids(plants.find({}, { orderBy: { name: 'asc', id: 'desc' } }))).toEqual([3, 4, 1, 2])
  expect(ids(plants.find({}, { orderBy: { tag: 'asc' } }))).toEqual([2, 1, 3, 4])
  const descriptions = apps
    .find({}, { orderBy: { description: 'asc' } })
    .map(({ description }) => description)
  expect(descriptions).toEqual([null, '-5', '5'])
  expect(ids(plants.find({}, { orderBy: { name: 'desc' }, skip: 1, take: 2 }))).toEqual([1, 4])
  expect(ids(plants.find({}, { skip: 2, take: 1 }))).toEqual([3])
  expect(ids(plants.find({ name: 'Fern' }, { take: 0 }))).toEqual([])
})

test('records are counted, all of them or those that are meant', () => {
  expect(plants.count()).toBe(4)
  expect(plants.count({ tag: 'sun' })).toBe(2)
  expect(plants.count(({ id }) => Number(id) > 1)).toBe(3)
})

test('an unknown field throws with a suggestion, as does an invalid option', () => {
  const find = (...asked: unknown[]) => expect(() => plants.find(...(asked as [never])))
  find({ nmae: 'Fern' }).toThrow(
    'Failed to find records of "plants": they have no field "nmae". Did you mean "name"?',
  )
  find({}, { orderBy: { nmae: 'asc' } }).toThrow('Did you mean "name"?')
  find({}, { orderBy: { name: 'up' } }).toThrow('orderBy.name takes "asc" or "desc"')
  find({}, { orderBy: null }).toThrow('orderBy: expected an object of fields')
  find({}, { take: -1 }).toThrow('take: expected a whole number')
  find({}, { orderby: { name: 'asc' } }).toThrow('Did you mean "orderBy"?')
  find('Fern').toThrow('expected a condition')
  expect(() => plants.count({ acount: 'x' } as never)).toThrow('Did you mean "account"?')
})

test('an optional field is a field of a record that has none', () => {
  expect(ids(plants.find({ tag: undefined }))).toEqual([2])
  expect(deployments.find({ failure: 'dns_timeout' })).toEqual([])
})

const { plants: defaults, webhooks } = createGreenhouse().world().records
const fern = { id: 5, name: 'Fern', account: 'acct_pro' }

test.each<[record: unknown, message: string]>([
  ['Fern', 'it must be an object.'],
  [{ id: 5, name: 'Fern' }, 'account is required.'],
  [{ id: 5, name: 'Fern', account: 5 }, 'account must be a string.'],
  [{ id: 5, account: 'acct_pro' }, 'name is required.'],
  [{ name: 'Fern', account: 'acct_pro' }, 'id is required.'],
  [
    { id: 5, name: 'Fern', account: 'acct_pro', tagg: 'y' },
    'there is no field "tagg". Did you mean "tag"?',
  ],
  [{ id: 1.5, name: 'Fern', account: 'acct_pro' }, 'id must be an integer of 64 bits.'],
  // Of many unknown fields the first three are named.
  [
    { ...fern, q1: 1, q2: 2, q3: 3, q4: 4 },
    [1, 2, 3].map((at) => `there is no field "q${at}".`).join(' '),
  ],
])('records.create(%j) names the field and what it takes', (record, message) => {
  const error = { name: 'TypeError', message: `Failed to store a record of "plants": ${message}` }
  expect(() => defaults.create(record as never)).toThrow(expect.objectContaining(error))
})

test('the base64 of a webhook secret may lack its padding', () => {
  const [webhook] = webhooks.find({})
  for (const secret of ['whsec_cw==', 'whsec_cw', 'whsec_YWI', 'whsec_YWI=', 'whsec_YWJj'])
    expect(webhooks.update(webhook!.id, { secret })!.secret).toBe(secret)
})

test('a field below another is named with its path', () => {
  const [webhook] = webhooks.find({})
  expect(() =>
    webhooks.update(webhook!.id, { events: ['app.created', 'app.create'] } as never),
  ).toThrow(
    /^Failed to store a record of "webhooks": events\[1\] must be one of "plant\.created", .*Did you mean "app\.created"\?/,
  )
})

test('an update cannot change the owner of a record', () => {
  for (const change of [{ id: 2 }, { account: 'acct_free' }])
    expect(() => defaults.update(101, change)).toThrow(
      'Failed to update a record of "plants": its key, owner and parent can\'t be changed.',
    )
})

test('a record names only accounts and records that exist', () => {
  const { records } = createGreenhouse().world()
  const plant = { id: 9_001, name: 'Fern', account: 'acct_por' }
  expect(() => records.plants.create(plant)).toThrow(
    'Failed to store a record of "plants": there is no account "acct_por". Did you mean "acct_pro"?',
  )
  expect(records.plants.get(9_001)).toBeUndefined()
  const before = records.plants.count()
  expect(() => records.plants.replace([plant])).toThrow('no account "acct_por"')
  expect(records.plants.count()).toBe(before)
  const message = {
    conversation: 'conv_nothing',
    role: 'user',
    content: 'Hi',
    credits: 0,
    created_at: 0,
  } as const
  expect(() => records.messages.create({ id: 'msg_new', account: 'acct_pro', ...message })).toThrow(
    'Failed to store a record of "messages": there is no record of "conversations" "conv_nothing".',
  )
  const [conversation] = records.conversations.all()
  expect(() => records.conversations.update(conversation!.id, { user: 'user_nobody' })).toThrow(
    '"user_nobody"',
  )
  expect(records.conversations.get(conversation!.id)).toEqual(conversation)
  expect(() => records.plants.create(undefined as never)).toThrow(
    'Failed to store a record of "plants"',
  )
})

test('a misspelt collection throws with the right name; unrelated names are undefined', () => {
  const records = createGreenhouse().world().records as unknown as Record<string, unknown>
  expect(() => records['plant']).toThrow(
    'There are no records called "plant". Did you mean "plants"?',
  )
  expect(records['toJSON']).toBeUndefined()
  expect(Object.keys(records)).toContain('plants')
})

testApi('a fixture record goes through its schema at each update', async ({ world }) => {
  const { deployments } = world.records
  const [deployment] = deployments.all()
  for (const domain of ['ONE.example.com', 'TWO.example.com', 'Three.Example.COM']) {
    deployments.update(deployment!.id, { domain })
    expect(deployments.get(deployment!.id)).toEqual({ ...deployment, domain: domain.toLowerCase() })
  }
  expect(() => deployments.update(deployment!.id, { state: 'nowhere' as never })).toThrow(TypeError)
  expect(deployments.get(deployment!.id)!.domain).toBe('three.example.com')
})

const toId = (number: number) => `app_${String(number).padStart(16, '0')}`
const newestFirst = Array.from({ length: 2_100 }, (_, number) => toId(number)).toReversed()

test('a list of thousands is paged through newest first, even where pages were deleted', async () => {
  const { world, call } = open()
  const app = { account: 'acct_pro', name: 'App', created_at: 1, updated_at: 1 }
  world.records.apps.replace(newestFirst.toReversed().map((id) => ({ ...app, id })))
  const walk = async () => {
    const ids: string[] = []
    for (let query = 'limit=100', more = true; more;) {
      const { status, body } = await call('GET', `/v1/apps?${query}`)
      expect(status).toBe(200)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      more = body.has_more
      query = `limit=100&cursor=${body.next_cursor}`
    }
    return ids
  }
  expect(await walk()).toEqual(newestFirst)
  world.snapshot('all')
  const gone = new Set([
    ...Array.from({ length: 700 }, (_, at) => toId(400 + at)),
    toId(0),
    toId(2_099),
  ])
  for (const id of gone) world.records.apps.delete(id)
  expect(await walk()).toEqual(newestFirst.filter((id) => !gone.has(id)))
  world.restore('all')
  expect(await walk()).toEqual(newestFirst)
})
