import { expect } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { testControl } from '../support/control.ts'

testControl(
  'collections tell what their records are: every record of the default world is as its schema says',
  async ({ control }) => {
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
  },
)

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
