import fc from 'fast-check'
import { expect } from 'vitest'
import { loadFixtures } from 'greenhouse-mock/node'
import { createGreenhouse, type Records, type World } from 'greenhouse-mock'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseJson } from 'greenhouse-mock'
import { testControl, expectControlError } from '../support/control.ts'
import { writeFolder } from '../support/folder.ts'
import { times } from '../support/soak.ts'

const frozen = { frozen: true }

const path = '/worlds/default/export'
interface File {
  file: string
  text: string
  records: number
  hidden: number
}

testControl(
  'a world is exported as fixture files, and loads from them',
  frozen,
  async ({ control, world }) => {
    world.records.plants.create({ id: 9007199254740995n, name: 'Fern: "x"', account: 'acct_pro' })
    const { data } = (await control('GET', path)).body as { data: File[] }
    const collections = ({ records }: World) =>
      Object.entries(records) as [string, Records<object>][]
    expect(data.map(({ file, records }) => [file, records])).toEqual(
      collections(world).map(([name, records]) => [`${name}.yaml`, records.count()]),
    )
    const folder = writeFolder(Object.fromEntries(data.map(({ file, text }) => [file, text])))
    const loaded = createGreenhouse({
      fixtures: loadFixtures(folder),
      now: world.clock.now(),
    }).world()
    const everything = (one: World) =>
      collections(one).map(([name, own]) => [name, name === 'webhooks' ? own.count() : own.all()])
    expect(everything(loaded)).toEqual(everything(world))
    const withoutSecret = ({ secret: _, ...rest }: { secret: string }) => rest
    expect(loaded.records.webhooks.all().map(withoutSecret)).toEqual(
      world.records.webhooks.all().map(withoutSecret),
    )
  },
)

/** What a world has, in an order that loading keeps, without the secrets that an export hides. */
function comparable({ records }: World): unknown {
  return Object.fromEntries(
    Object.entries(records).map(([name, own]) => [name, (own.all() as never[]).map(textOf).sort()]),
  )
}

/** A record does not change, and the worlds of these histories share most of theirs. */
const texts = new WeakMap<object, string>()

function textOf(record: Record<string, unknown>): string {
  const known = texts.get(record)
  if (known !== undefined) return known
  const { secret: _, former_secrets: __, ...rest } = record
  // A time that is over may be `null` or absent.
  const fields = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  const text = JSON.stringify(fields.sort(), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  texts.set(record, text)
  return text
}

testControl(
  'whatever happened to a world, what is exported loads and is the same',
  frozen,
  async (controlled) => {
    const { control, world, api } = controlled
    const names = Object.keys(world.records)
    const collection = fc.constantFrom(...names)
    const emptied = names.filter((_, index) => index % times(1, 8) === 0)
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ remove: collection, at: fc.nat(60) }) },
      fc.record({ empty: collection }),
      fc.record({ wait: fc.constantFrom('1h', '40d') }),
      fc.record({ create: fc.constantFrom('/plants', '/v1/apps') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (history) => {
        world.reset()
        for (const [index, one] of history.entries())
          if ('remove' in one) {
            const { data } = (await control('GET', `/worlds/default/records/${one.remove}`)).body
            const { id = data[0]?.secret ?? data[0]?.account } = data[one.at % data.length] ?? {}
            if (id !== undefined)
              await control('DELETE', `/worlds/default/records/${one.remove}/${id}?keep=true`)
          } else if ('empty' in one)
            await control('PUT', `/worlds/default/records/${one.empty}`, { data: [] })
          else if ('wait' in one) world.clock.advance(one.wait)
          else await api('POST', one.create, { body: { id: 7_000 + index, name: 'Fern' } })
        const { data } = (await control('GET', path)).body as { data: File[] }
        const exported = comparable(world)
        const all = await Promise.all(names.map((name) => control('GET', `${path}/${name}`)))
        for (const files of [data, all.map(({ body }) => body.data[0] as File)]) {
          const folder = writeFolder(
            Object.fromEntries(files.map(({ file, text }) => [file, text])),
          )
          const fixtures = loadFixtures(folder)
          using loaded = createGreenhouse({ fixtures, now: world.clock.now(), frozen: true })
          expect(comparable(loaded.world())).toEqual(exported)
        }
      }),
      {
        numRuns: times(20, 2) + emptied.length,
        examples: emptied.map((name): [{ empty: string }[]] => [[{ empty: name }]]),
      },
    )
  },
)

testControl(
  'what is gone is listed, and a misspelt reference is still found',
  frozen,
  async ({ control, world }) => {
    world.records.apps.delete('app_w33c4cwmhfyfktiv')
    const [{ text }] = (await control('GET', `${path}/users`)).body.data as [File]
    expect(text).toMatch(/\ngone: \[apps\/app_w33c4cwmhfyfktiv\]\n$/)
    const account = 'accounts: [{ id: acct, name: A, email: a@example.com, plan: pro }]\n'
    const plants = 'plants: [{ id: 1, name: A, account: act }]\n'
    const load = (gone: string) =>
      loadFixtures(writeFolder({ 'a.yaml': `${account}${plants}gone: ${gone}\n` }))
    expect(() => load('[accounts/acct_x]')).toThrow(
      'there is no account "act". Did you mean "acct"?',
    )
    expect(() => load('[accounts/act, app_1]')).toThrow(
      'gone.1: expected a collection and the key of a record',
    )
    expect(() => load('accounts/act')).toThrow('gone: expected a list')
    expect(
      createGreenhouse({ fixtures: load('[accounts/act]') })
        .world()
        .records.plants.count(),
    ).toBe(1)
  },
)

testControl(
  'one collection is one file, written as people write them',
  frozen,
  async ({ control, world }) => {
    world.clock.set('2026-03-01T12:00:30Z')
    world.records.plants.replace([{ id: 1, name: 'Fern', account: 'acct_pro' }])
    world.records.purchases.replace(world.records.purchases.find({ status: 'pending' }))
    const one = async (name: string) =>
      (await control('GET', `${path}/${name}`)).body.data[0] as File
    expect(await one('plants')).toEqual({
      file: 'plants.yaml',
      text: '# The plants of the world default at 2026-03-01T12:00:30.000Z. A time such as "2h ago" is relative to the start of the service.\nplants:\n  - { id: 1, name: Fern, account: acct_pro }\n',
      records: 1,
      hidden: 0,
    })
    expect((await one('purchases')).text).toMatch(
      /created_at: 3h(\d+ms)? ago, settles_at: in 1[12]h/,
    )
    world.records.plants.replace([])
    expect((await one('plants')).text).toMatch(/\nplants: \[\]\n$/)
    expectControlError(
      await control('GET', `${path}/plnts`),
      404,
      'unknown_collection',
      /Did you mean "plants"\?/,
    )
  },
)

testControl(
  'an export has a placeholder for each secret but fixture keys',
  async ({ control, world, api }) => {
    const made = await world.createKey({ account: 'acct_pro' })
    world.records.webhooks.update('wh_m4t7qzc2xk5wr3nd', {
      url: 'http://127.0.0.1:4020/hook?token=abcdefgh123456',
      former_secrets: [{ secret: 'whsec_Zm9ybWVyLXNlY3JldA==', until: 1 }],
    })
    const note = { toJSON: 1, text: made.secret }
    world.assume('plants.create.unknown-fields', 'keep')
    expect(
      (await api('POST', '/plants', { body: { id: 7000, name: 'Fern', note } })).body.note,
    ).toEqual(note)
    const { body, text } = await control('GET', path)
    const files = Object.fromEntries((body.data as File[]).map((file) => [file.file, file]))
    expect([files['keys.yaml']!.hidden, files['webhooks.yaml']!.hidden]).toEqual([1, 6])
    expect(files['keys.yaml']!.text).toMatch(/secret: key_pro,[^]*secret: hidden_fp_[\da-f]{12},/)
    const secrets = world.records.webhooks.all().map(({ secret }) => secret)
    const all = [made.secret, ...secrets, 'whsec_Zm9ybWVyLXNlY3JldA==', 'abcdefgh123456', note.text]
    expect(all.filter((secret) => text.includes(secret))).toEqual([])
  },
)

testControl(
  'what an event told is written as data, with numbers and nothing',
  async ({ control, world }) => {
    const { records, clock } = world
    const delivery = records.deliveries.all()[0]!
    const timestamp = new Date(delivery.created_at).toISOString()
    const payload = {
      type: delivery.type,
      timestamp,
      data: { id: 7, name: 'Fern', tag: null, at: timestamp },
    }
    clock.freeze()
    clock.set(delivery.created_at + 7_200_000)
    records.deliveries.replace([{ ...delivery, payload: JSON.stringify(payload) }])
    const { text } = (await control('GET', `${path}/deliveries`)).body.data[0] as File
    expect(text).toContain('data: { id: 7, name: Fern, tag: null, at: 2h ago }')
    expect(text).toContain('created_at: 2h ago')
  },
)

testControl(
  'every record of the default world fits the schema of its collection',
  async ({ control }) => {
    const { data } = (await control('GET', '/collections')).body
    const sizes = (await control('GET', '/worlds/default/records')).body.data
    expect(data.map(({ name }: { name: string }) => name)).toEqual(
      sizes.map(({ name }: { name: string }) => name),
    )
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const records = new Map<string, Record<string, unknown>[]>()
    for (const { name, schema, id } of data) {
      const own = (await control('GET', `/worlds/default/records/${name}`)).body.data as Record<
        string,
        unknown
      >[]
      records.set(name, own)
      expect(own.length).toBe(sizes.find((one: { name: string }) => one.name === name).size)
      const isValid = ajv.compile(schema)
      for (const record of own) expect([isValid(record), isValid.errors]).toEqual([true, null])
      const [first] = own
      expect((await control('GET', `/worlds/default/records/${name}/${first![id]}`)).body).toEqual(
        first,
      )
    }
    for (const { name, relations } of data)
      for (const [field, target] of Object.entries<string>(relations)) {
        const ids = new Set(records.get(target)!.map(({ id }) => id))
        for (const record of records.get(name)!)
          if (record[field] !== null)
            expect([name, field, ids.has(record[field])]).toEqual([name, field, true])
      }
  },
)

testControl(
  'a time is told from other numbers, and an integer of 64 bits from a fraction',
  async ({ control }) => {
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
    expect([facts.keys.id, facts.keys.has_secrets, facts.credits.id]).toEqual([
      'secret',
      true,
      'account',
    ])
  },
)

testControl(
  'a fraction that no double has is exported as replies show it',
  {},
  async ({ control, world }) => {
    const extra = parseJson('{"weight":9007199254740991.4}') as Record<string, unknown>
    world.records.plants.create({ id: 900, name: 'Fern', account: 'acct_pro', extra })
    expect((await control('GET', `${path}/plants`)).body.data[0].text).toContain(
      'extra: { weight: 9007199254740991 }',
    )
  },
)
