import { expect } from 'vitest'
import { toFingerprint } from '../support/fingerprint.ts'
import { testControl, expectControlError, stateOf, expectInvalid } from '../support/control.ts'
import { times } from '../support/soak.ts'
import fc from 'fast-check'

const path = '/worlds/default/records'

testControl('keeps integers of 64 bits exact, in and out', async ({ control, api, world }) => {
  const ids = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '1']
  const text = `[${ids.map((id) => `{"id":${id},"name":"n","account":"acct_pro"}`).join(',')}]`
  const whole = `{"data":${text}}`
  expect(await control('PUT', `${path}/plants`, whole)).toMatchObject({ status: 200, text: whole })
  expect((await control('GET', `${path}/plants`)).text).toBe(`{"data":${text},"total":4}`)
  expect(world.records.plants.all().map(({ id }) => String(id))).toEqual(ids)
  expect((await api('GET', '/plants')).text).not.toContain('9007199254740992')
  expect((await control('PUT', `${path}/plants`, text)).status).toBe(200)
})

testControl('gives back every collection as it was read', async ({ control, greenhouse }) => {
  const before = stateOf(greenhouse)
  for (const collection of ['accounts', 'keys', 'plants', 'apps', 'messages']) {
    const { text, body } = await control('GET', `${path}/${collection}`)
    const { status, body: put } = await control('PUT', `${path}/${collection}`, text)
    expect([status, put.data]).toEqual([200, body.data])
  }
  expect(stateOf(greenhouse)).toEqual(before)
})

testControl('shows keys of any length as fingerprints only', async ({ control, world }) => {
  world.records.keys.create({ secret: 'k', account: 'acct_pro' })
  const secrets = world.records.keys.all().map(({ secret }) => secret)
  const { text, body } = await control('GET', `${path}/keys`)
  for (const secret of secrets) expect(text).not.toContain(`"${secret}"`)
  expect(body.data.map(({ secret }: { secret: string }) => secret)).toEqual(
    secrets.map(toFingerprint),
  )
})

testControl(
  'secrets of webhooks go out and come in as fingerprints',
  async ({ control, api, greenhouse, world }) => {
    const url = 'http://127.0.0.1:9/hook?token=Zq7marker0aBcDeF'
    const { body: made } = await api('POST', '/v1/webhooks', { body: { url } })
    const { secret } = (await api('POST', `/v1/webhooks/${made.id}/rotate-secret`)).body
    const before = stateOf(greenhouse)
    const { body, text } = await control('GET', `${path}/webhooks`)
    expect(text).not.toMatch(/whsec_|Zq7marker/)
    expect(body.data.find(({ id }: { id: string }) => id === made.id)).toMatchObject({
      secret: toFingerprint(secret),
      former_secrets: [{ secret: toFingerprint(made.secret) }],
      url: expect.stringMatching(/\?token=fp_/),
    })
    expect(await control('PUT', `${path}/webhooks`, text)).toMatchObject({
      status: 200,
      body: { data: body.data },
    })
    expect({ ...world.records.webhooks.get(made.id) }).toMatchObject({
      secret,
      former_secrets: [{ secret: made.secret }],
      url: expect.stringContaining('Zq7marker'),
    })
    expect(stateOf(greenhouse)).toMatchObject(before as object[])
    const data = [{ ...body.data[0], secret: 'fp_000000000000' }]
    await expectInvalid(
      control('PUT', `${path}/webhooks`, { data }),
      /no secret with the fingerprint fp_000000000000/,
    )
  },
)

testControl(
  'a collection is searched, sorted and paged as a naive list is',
  async ({ control, world }) => {
    const { plants } = world.records
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
            Object.values(plant).some((value) =>
              String(value).toLowerCase().includes(search.toLowerCase()),
            ),
          )
        if (account !== undefined) found = found.filter((plant) => plant.account === account)
        if (tag !== undefined) found = found.filter((plant) => (plant.tag ?? 'null') === tag)
        if (sort !== undefined) {
          const field = sort.replace('-', '') as 'id' | 'name' | 'tag'
          const rank = (one: (typeof found)[number], other: (typeof found)[number]) =>
            one[field] === other[field] ? 0 : (one[field] ?? '') < (other[field] ?? '') ? -1 : 1
          found = found.toSorted((one, other) =>
            sort.startsWith('-') ? -rank(one, other) : rank(one, other),
          )
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
      { numRuns: times(60, 20) },
    )
  },
)

testControl(
  'a list of thousands of records is sorted as one of few is',
  async ({ control, world }) => {
    const { plants } = world.records
    const many = Array.from({ length: 9_000 }, (_, id) => ({
      id,
      name: `n${(id * 7_919) % 9_000}`,
      account: 'acct_pro',
    }))
    plants.replace(many)
    const { body } = await control('GET', `${path}/plants?sort=-name&offset=4000&limit=300`)
    const sorted = many.toSorted((one, other) => (one.name > other.name ? -1 : 1))
    expect(body).toEqual({ data: sorted.slice(4_000, 4_300), total: 9_000 })
  },
)

testControl('a list holds items of lists, and a nested value is found', async ({ control }) => {
  const totalOf = async (query: string) =>
    (await control('GET', `${path}/${query}`)).body.total as number
  const all = await totalOf('plants?limit=0')
  const tagged = await totalOf('plants?where.tag=*')
  expect([tagged > 0, tagged + (await totalOf('plants?where.tag=null'))]).toEqual([true, all])
  expect(await totalOf('webhooks?where.events.0=*')).toBe(await totalOf('webhooks?limit=0'))
  await expectInvalid(
    control('GET', `${path}/webhooks?where.evnts.0=x`),
    /no field "evnts"; .* Did you mean "events"\?/,
  )
  const events = (await control('GET', `${path}/webhooks?where.events=conversation.ended`)).body
  expect(events.data.map(({ id }: { id: string }) => id)).toEqual(['wh_bcjl342gumzojejh'])
  expect((await control('GET', `${path}/deployments?search=orchid%20desk`)).body.total).toBe(1)
})

testControl(
  'no secret is found by searching for it, but a plain name is',
  async ({ control, world }) => {
    const secret = 'gk_7Zq1mXw9'
    world.records.keys.create({ secret, account: 'acct_pro' })
    const found = {
      'webhooks?search=whsec_Z3JlZW5ob3VzZ': 0,
      'keys?where.secret=key_pro': 0,
      'keys?search=key_pro': 2,
    }
    const generated = {
      [`keys?search=${secret}`]: 0,
      'keys?search=gk_7': 0,
      [`keys?where.secret=${secret}`]: 0,
    }
    const byFingerprint = {
      [`keys?search=${toFingerprint(secret)}`]: 1,
      [`keys?search=${toFingerprint('key_pro')}`]: 1,
    }
    for (const [query, total] of Object.entries({ ...found, ...generated, ...byFingerprint }))
      expect((await control('GET', `${path}/${query}`)).body.total, query).toBe(total)
  },
)

testControl(
  'a field that records do not have is refused with the nearest one',
  async ({ control }) => {
    for (const query of ['sort=nme', 'sort=-nme', 'where.nme=x'])
      await expectInvalid(
        control('GET', `${path}/plants?${query}`),
        /no field "nme".* Did you mean "name"\?/,
      )
    for (const query of ['limit=-1', 'offset=a', 'srch=x', 'sort='])
      await expectInvalid(control('GET', `${path}/plants?${query}`))
    expectControlError(await control('GET', `${path}/plnts?limit=1`), 404, 'unknown_collection')
  },
)
