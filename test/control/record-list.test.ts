import { expect } from 'vitest'
import fc from 'fast-check'
import { toFingerprint } from '../../src/core/secrets/secret-finder.ts'
import { testControl, expectControlError } from '../support/control.ts'

const path = '/worlds/default/records'

testControl(
  'a collection is searched, filtered, sorted and read page by page as a naive list is',
  async ({ control, greenhouse }) => {
    const { plants } = greenhouse.world().records
    plants.delete(9007199254740993n)
    const query = fc.record(
      {
        search: fc.constantFrom('a', 'FERN', 'acct_pro', '10', 'nothing'),
        account: fc.constantFrom('acct_free', 'acct_pro', 'nobody'),
        tag: fc.constantFrom('tree', 'null'),
        sort: fc.constantFrom('name', '-name', 'id', '-id', 'tag', '-tag'),
        limit: fc.nat(40),
        offset: fc.nat(40),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(query, async ({ search, account, tag, sort, limit, offset = 0 }) => {
        let found = plants.all()
        if (search !== undefined)
          found = found.filter((plant) =>
            Object.values(plant).some((value) => String(value).toLowerCase().includes(search.toLowerCase())),
          )
        if (account !== undefined) found = found.filter((plant) => plant.account === account)
        if (tag !== undefined) found = found.filter((plant) => (plant.tag ?? 'null') === tag)
        if (sort !== undefined) {
          const field = sort.replace('-', '') as 'id' | 'name' | 'tag'
          const rank = (one: (typeof found)[number], other: (typeof found)[number]) =>
            one[field] === other[field] ? 0 : (one[field] ?? '') < (other[field] ?? '') ? -1 : 1
          found = found.toSorted((one, other) => (sort.startsWith('-') ? -rank(one, other) : rank(one, other)))
        }
        const parameters = new URLSearchParams({
          ...(search !== undefined && { search }),
          ...(account !== undefined && { 'where.account': account }),
          ...(tag !== undefined && { 'where.tag': tag }),
          ...(sort !== undefined && { sort }),
          ...(limit !== undefined && { limit: String(limit) }),
          offset: String(offset),
        })
        expect((await control('GET', `${path}/plants?${parameters}`)).body).toEqual({
          data: found.slice(offset, limit === undefined ? undefined : offset + limit),
          total: found.length,
        })
      }),
      { numRuns: 60 },
    )
  },
)

testControl('without a query all records come, in the shape that PUT takes', async ({ control }) => {
  const { body, text } = await control('GET', `${path}/messages`)
  expect(Object.keys(body)).toEqual(['data'])
  expect(await control('PUT', `${path}/messages`, text)).toMatchObject({ status: 200, text })
})

testControl('a list of thousands of records is sorted as one of few is', async ({ control, greenhouse }) => {
  const { plants } = greenhouse.world().records
  const many = Array.from({ length: 9_000 }, (_, id) => ({ id, name: `n${(id * 7_919) % 9_000}`, account: 'acct_pro' }))
  plants.replace(many)
  const { body } = await control('GET', `${path}/plants?sort=-name&offset=4000&limit=300`)
  const sorted = many.toSorted((one, other) => (one.name > other.name ? -1 : 1))
  expect(body).toEqual({ data: sorted.slice(4_000, 4_300), total: 9_000 })
})

testControl('a list holds items of lists, and a nested value is found', async ({ control }) => {
  const events = (await control('GET', `${path}/webhooks?where.events=conversation.ended`)).body
  expect(events.data.map(({ id }: { id: string }) => id)).toEqual(['wh_bcjl342gumzojejh'])
  expect((await control('GET', `${path}/deployments?search=orchid%20desk`)).body.total).toBe(1)
})

testControl('no secret is found by searching for it', async ({ control }) => {
  for (const query of ['search=whsec_Z3JlZW5ob3VzZ', 'where.secret=key_pro', 'search=key_pro'])
    for (const collection of query.includes('whsec') ? ['webhooks'] : ['keys'])
      expect((await control('GET', `${path}/${collection}?${query}`)).body.total).toBe(0)
  expect((await control('GET', `${path}/keys?search=${toFingerprint('key_pro')}`)).body.total).toBe(1)
})

testControl('a field that records do not have is refused with the nearest one', async ({ control }) => {
  for (const query of ['sort=nme', 'sort=-nme', 'where.nme=x'])
    expectControlError(
      await control('GET', `${path}/plants?${query}`),
      400,
      'invalid_request',
      /no field "nme".* Did you mean "name"\?/,
    )
  for (const query of ['limit=-1', 'offset=a', 'srch=x', 'sort='])
    expectControlError(await control('GET', `${path}/plants?${query}`), 400, 'invalid_request')
  expectControlError(await control('GET', `${path}/plnts?limit=1`), 404, 'unknown_collection')
})
