import { expect } from 'vitest'
import { testControl, expectControlError, type Controlled } from '../support/control.ts'

const journal = '/worlds/default/journal'

/** Five requests: 200, 404 at no operation, 401, 500 by a scenario, 200 shaped by one. */
async function fill({ call }: Controlled): Promise<void> {
  await call('/plants?limit=1')
  await call('/v1/appz')
  await call('/v1/apps', { headers: { authorization: 'Bearer key_fre' } })
  await call('/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } })
  await call('/plants?limit=2', { headers: { 'x-greenhouse-scenario': 'slow:ms=1' } })
}

testControl('entries are found by class of status, errors, scenario, words and age', async (controlled) => {
  await fill(controlled)
  const ids = async (query: string) => {
    const { status, body } = await controlled.control('GET', `${journal}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ id }: { id: number }) => id)
  }
  expect(await ids('status=2xx')).toEqual([1, 5])
  expect(await ids('status=4xx')).toEqual([2, 3])
  expect(await ids('status=401')).toEqual([3])
  expect(await ids('status=5xx')).toEqual([4])
  expect(await ids('errors=true')).toEqual([2, 3, 4])
  expect(await ids('errors=false')).toEqual([1, 5])
  expect(await ids('errors=true&status=4xx&limit=1')).toEqual([3])
  expect(await ids('scenario=slow')).toEqual([5])
  expect(await ids('scenario=*')).toEqual([4, 5])
  expect(await ids('scenario=expired-key')).toEqual([])
  expect(await ids('before=4')).toEqual([1, 2, 3])
  expect(await ids('before=4&limit=2')).toEqual([2, 3])
  expect(await ids('before=1')).toEqual([])
  expect(await ids('search=limit%3D2')).toEqual([5])
  expect(await ids('search=PLANTS%20500')).toEqual([4])
  expect(await ids('search=no+such+key')).toEqual([3])
  expect(await ids('search=plants&limit=2')).toEqual([4, 5])
  expect(await ids('search=plants&limit=0')).toEqual([])
  expect(await ids('search=plants&before=5&errors=false')).toEqual([1])
  expect(await ids('search=fern')).toEqual([])
  expect(await ids('search=%20')).toEqual([1, 2, 3, 4, 5])
})

testControl('a search is for what is shown, never for a secret', async ({ control, call }) => {
  await call('/plants?token=sk_live_abcdefghijklmnop')
  expect((await control('GET', `${journal}?search=sk_live_abc`)).body.data).toEqual([])
  expect((await control('GET', `${journal}?search=token%3Dfp_`)).body.data).toHaveLength(1)
})

testControl('a filter that can find nothing is refused', async (controlled) => {
  await fill(controlled)
  const { control } = controlled
  for (const [query, message] of [
    ['status=4x', /^status: expected a status, such as 404, or a class of statuses, such as 4xx$/],
    ['status=7xx', /such as 4xx/],
    ['errors=yes', /^errors: expected one of true, false/],
    ['scenario=slwo', /There is no scenario "slwo"; \* means any scenario\. Did you mean "slow"\?/],
    ['before=x', /^before: expected a whole number$/],
    ['serach=x', /Did you mean "search"\?/],
    [`search=${'x'.repeat(1_001)}`, /^search: expected at most 1,000 characters$/],
  ] as const)
    expectControlError(await control('GET', `${journal}?${query}`), 400, 'invalid_request', message)
})

testControl(
  'a filter that finds nothing where entries made room is an error, unless they could not have met it',
  { journal: { entries: 2 } },
  async ({ control, call }) => {
    await call('/v1/appz')
    for (let count = 0; count < 3; count++) await call('/plants?limit=1')
    for (const query of ['errors=true', 'status=4xx', 'search=appz', 'scenario=slow'])
      expectControlError(await control('GET', `${journal}?${query}`), 409, 'journal_evicted')
    for (const query of ['status=5xx', 'before=2', 'before=3&search=appz', 'search=appz&limit=0'])
      expect([query, (await control('GET', `${journal}?${query}`)).body]).toEqual([
        query,
        expect.objectContaining({ data: expect.any(Array) }),
      ])
  },
)

testControl(
  'one entry is read by its id, and one that is gone says so',
  { journal: { entries: 3 } },
  async ({ control, call }) => {
    for (let count = 0; count < 5; count++) await call(`/plants?limit=${count + 1}`)
    const { status, body } = await control('GET', `${journal}/4`)
    expect(status).toBe(200)
    expect(body).toEqual((await control('GET', journal)).body.data[1])
    expect(body).toMatchObject({ id: 4, request: { url: '/plants?limit=4' } })
    expectControlError(await control('GET', `${journal}/2`), 404, 'unknown_entry', /no longer has the entry 2/)
    expectControlError(await control('GET', `${journal}/6`), 404, 'unknown_entry', /has no entry "6"/)
    for (const until of [0, 6]) {
      const answer = await control('GET', `/worlds/default/case?until=${until}`)
      expectControlError(answer, 404, 'unknown_entry', new RegExp(`has no entry ${until}`))
    }
    for (const id of ['0', '-1', '1.5', 'x', '9'.repeat(20), '%00'])
      expectControlError(await control('GET', `${journal}/${id}`), 404, 'unknown_entry', /has no entry/)
    await control('DELETE', journal)
    expectControlError(await control('GET', `${journal}/4`), 404, 'unknown_entry', /or the journal was cleared/)
    await call('/plants')
    expect((await control('GET', `${journal}/6`)).body.id).toBe(6)
    expectControlError(await control('GET', '/worlds/nope/journal/1'), 404, 'unknown_world')
  },
)
