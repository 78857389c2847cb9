import { expect } from 'vitest'
import { loadFixtures } from 'greenhouse-mock/node'
import { createGreenhouse, type Records, type World } from 'greenhouse-mock'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseTrustedJson } from '../../src/core/http/json.ts'
import { testControl, expectControlError } from '../support/control.ts'
import { writeFolder } from '../support/folder.ts'

const frozen = { frozen: true }

const path = '/worlds/default/export'
interface File {
  file: string
  text: string
  records: number
  hidden: number
}

testControl('a world is exported as fixture files, and loads from them', frozen, async ({ control, world }) => {
  world.records.plants.create({ id: 9007199254740995n, name: 'Fern: "x"', account: 'acct_pro' })
  const { data } = (await control('GET', path)).body as { data: File[] }
  const collections = ({ records }: World) => Object.entries(records) as [string, Records<object>][]
  expect(data.map(({ file, records }) => [file, records])).toEqual(
    collections(world).map(([name, records]) => [`${name}.yaml`, records.count()]),
  )
  const folder = writeFolder(Object.fromEntries(data.map(({ file, text }) => [file, text])))
  const loaded = createGreenhouse({ fixtures: loadFixtures(folder), now: world.clock.now() }).world()
  const everything = (one: World) =>
    collections(one).map(([name, own]) => [name, name === 'webhooks' ? own.count() : own.all()])
  expect(everything(loaded)).toEqual(everything(world))
  const withoutSecret = ({ secret: _, ...rest }: { secret: string }) => rest
  expect(loaded.records.webhooks.all().map(withoutSecret)).toEqual(world.records.webhooks.all().map(withoutSecret))
})

testControl('one collection is one file, written as people write them', frozen, async ({ control, world }) => {
  world.clock.set('2026-03-01T12:00:30Z')
  world.records.plants.replace([{ id: 1, name: 'Fern', account: 'acct_pro' }])
  world.records.purchases.replace(world.records.purchases.find({ status: 'pending' }))
  const one = async (name: string) => (await control('GET', `${path}/${name}`)).body.data[0] as File
  expect(await one('plants')).toEqual({
    file: 'plants.yaml',
    text: '# The plants of the world default at 2026-03-01T12:00:30.000Z. A time such as "2h ago" is relative to the start of the service.\nplants:\n  - { id: 1, name: Fern, account: acct_pro }\n',
    records: 1,
    hidden: 0,
  })
  expect((await one('purchases')).text).toMatch(/created_at: 3h(\d+ms)? ago, settles_at: in 1[12]h/)
  world.records.plants.replace([])
  expect((await one('plants')).text).toMatch(/\nplants: \[\]\n$/)
  expectControlError(await control('GET', `${path}/plnts`), 404, 'unknown_collection', /Did you mean "plants"\?/)
})

testControl('an export has a placeholder for each secret but fixture keys', async ({ control, world, api }) => {
  const made = await world.createKey({ account: 'acct_pro' })
  world.records.webhooks.update('wh_m4t7qzc2xk5wr3nd', {
    url: 'http://127.0.0.1:4020/hook?token=abcdefgh123456',
    former_secrets: [{ secret: 'whsec_Zm9ybWVyLXNlY3JldA==', until: 1 }],
  })
  const note = { toJSON: 1, text: 'sk_live_abcdefghijkl' }
  world.assume('plants.create.unknown-fields', 'keep')
  expect((await api('POST', '/plants', { body: { id: 7000, name: 'Fern', note } })).body.note).toEqual(note)
  const { body, text } = await control('GET', path)
  const files = Object.fromEntries((body.data as File[]).map((file) => [file.file, file]))
  expect([files['keys.yaml']!.hidden, files['webhooks.yaml']!.hidden]).toEqual([1, 6])
  expect(files['keys.yaml']!.text).toMatch(/secret: key_pro,[^]*secret: hidden_fp_[\da-f]{12},/)
  const secrets = world.records.webhooks.all().map(({ secret }) => secret)
  const all = [made.secret, ...secrets, 'whsec_Zm9ybWVyLXNlY3JldA==', 'abcdefgh123456', note.text]
  expect(all.filter((secret) => text.includes(secret))).toEqual([])
})

testControl('what an event told is written as data, with numbers and nothing', async ({ control, world }) => {
  const { records, clock } = world
  const delivery = records.deliveries.all()[0]!
  const timestamp = new Date(delivery.created_at).toISOString()
  const payload = { type: delivery.type, timestamp, data: { id: 7, name: 'Fern', tag: null, at: timestamp } }
  clock.freeze()
  clock.set(delivery.created_at + 7_200_000)
  records.deliveries.replace([{ ...delivery, payload: JSON.stringify(payload) }])
  const { text } = (await control('GET', `${path}/deliveries`)).body.data[0] as File
  expect(text).toContain('data: { id: 7, name: Fern, tag: null, at: 2h ago }')
  expect(text).toContain('created_at: 2h ago')
})

testControl('every record of the default world fits the schema of its collection', async ({ control }) => {
  const { data } = (await control('GET', '/collections')).body
  const sizes = (await control('GET', '/worlds/default/records')).body.data
  expect(data.map(({ name }: { name: string }) => name)).toEqual(sizes.map(({ name }: { name: string }) => name))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const records = new Map<string, Record<string, unknown>[]>()
  for (const { name, schema, id } of data) {
    const own = (await control('GET', `/worlds/default/records/${name}`)).body.data as Record<string, unknown>[]
    records.set(name, own)
    expect(own.length).toBe(sizes.find((one: { name: string }) => one.name === name).size)
    const isValid = ajv.compile(schema)
    for (const record of own) expect([isValid(record), isValid.errors]).toEqual([true, null])
    const [first] = own
    expect((await control('GET', `/worlds/default/records/${name}/${first![id]}`)).body).toEqual(first)
  }
  for (const { name, relations } of data)
    for (const [field, target] of Object.entries<string>(relations)) {
      const ids = new Set(records.get(target)!.map(({ id }) => id))
      for (const record of records.get(name)!)
        if (record[field] !== null) expect([name, field, ids.has(record[field])]).toEqual([name, field, true])
    }
})

testControl('a time is told from other numbers, and an integer of 64 bits from a fraction', async ({ control }) => {
  const { data } = (await control('GET', '/collections')).body
  const facts = Object.fromEntries(data.map((one: { name: string }) => [one.name, one]))
  expect(facts.apps.schema.properties.created_at.format).toBe('unix-ms')
  expect(facts.deliveries.schema.properties.attempts.items.properties.at.format).toBe('unix-ms')
  expect(facts.plants.schema.properties.id).toEqual({ type: 'integer', format: 'int64' })
  expect(facts.conversations).toMatchObject({
    title: 'Conversations',
    id: 'id',
    relations: { account: 'accounts', app: 'apps', user: 'users' },
    has_secrets: false,
  })
  expect([facts.keys.id, facts.keys.has_secrets, facts.credits.id]).toEqual(['secret', true, 'account'])
})

testControl('a fraction that no double has is exported as replies show it', {}, async ({ control, world }) => {
  const extra = parseTrustedJson('{"weight":9007199254740991.4}') as Record<string, unknown>
  world.records.plants.create({ id: 900, name: 'Fern', account: 'acct_pro', extra })
  expect((await control('GET', `${path}/plants`)).body.data[0].text).toContain('extra: { weight: 9007199254740991 }')
})
