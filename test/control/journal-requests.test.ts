import { expect } from 'vitest'
import { testControl, expectControlError } from '../support/control.ts'

const journal = '/worlds/default/journal'

testControl('entries are found by method, path, header, query parameter, body and key', async ({ control, call }) => {
  await call('/plants?limit=3&tag=a')
  await call('/plants', { method: 'POST', body: '{"id":9007199254740995,"name":"Fern","tag":"fern"}' })
  await call('/v1/apps', { headers: { 'X-Name': 'first' } })
  await call('/v1/apps/app_1', { headers: { authorization: 'Bearer key_free' } })
  await call('/v1/apps', { method: 'POST', body: '{"name":"Shop","site":{"tags":["a","b"],"n":null}}' })
  await call('/plants/77?x', { method: 'DELETE', headers: { authorization: '' } })
  const ids = async (query: string) => {
    const { status, body } = await control('GET', `${journal}?${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data.map(({ id }: { id: number }) => id)
  }
  expect(await ids('method=post')).toEqual([2, 5])
  expect(await ids('path=/v1/apps')).toEqual([3, 5])
  expect(await ids('path=/v1/apps/*')).toEqual([4])
  expect(await ids('path=/plants/77')).toEqual([6])
  expect(await ids('path=/v1/**&method=GET&limit=1')).toEqual([4])
  expect(await ids('header.x-NAME=first')).toEqual([3])
  expect(await ids('header.X-Name=*')).toEqual([3])
  expect(await ids('header.X-Name=null&method=GET')).toEqual([1, 4])
  expect(await ids('query.limit=3')).toEqual([1])
  expect(await ids('query.limit=*&query.tag=a')).toEqual([1])
  expect(await ids('query.limit=4')).toEqual([])
  expect(await ids('body.name=Fern')).toEqual([2])
  expect(await ids('body.id=9007199254740995')).toEqual([2])
  expect(await ids('body.id=9007199254740996')).toEqual([])
  expect(await ids('body.site.tags=b')).toEqual([5])
  expect(await ids('body.site.tags.0=a')).toEqual([5])
  expect(await ids('body.site.tags.0=b')).toEqual([])
  expect(await ids('body.site.n=null&method=POST')).toEqual([2, 5])
  expect(await ids('body.name=*&body.tag=null')).toEqual([5])
  expect(await ids('key=key_free')).toEqual([4])
  expect(await ids('account=acct_free')).toEqual([4])
  expect(await ids('account=acct_pro&path=/v1/**')).toEqual([3, 5])
  expect(await ids('path=/plants&operation=plants.create&status=2xx&search=plants')).toEqual([2])
})

testControl('a question is about what is shown, never about a secret', async ({ control, call }) => {
  const secret = 'sk_live_abcdefghijklmnop'
  await call('/plants', {
    method: 'POST',
    body: JSON.stringify({ name: 'x', token: secret }),
    headers: { 'x-api-key': secret },
  })
  for (const query of [`header.x-api-key=${secret}`, `body.token=${secret}`, `key=${secret}`])
    expect([query, (await control('GET', `${journal}?${query}`)).body.data]).toEqual([query, []])
  const [{ request }] = (await control('GET', journal)).body.data
  const shown = request.headers['x-api-key']
  expect(shown).toMatch(/^fp_/)
  expect((await control('GET', `${journal}?header.x-api-key=${shown}&body.token=${shown}`)).body.data).toHaveLength(1)
})

testControl('a question that can find nothing is refused', async ({ control }) => {
  for (const [query, message] of [
    [
      'headers.X-Name=a',
      /There is no query parameter "headers\.X-Name"; expected one of operation, .*, header\.NAME, query\.NAME and body\.FIELD\. Did you mean "header\.X-Name"\?/,
    ],
    ['account=acct_fre', /There is no account "acct_fre"\. Did you mean "acct_free"\?/],
    ['paht=/plants', /Did you mean "path"\?/],
    ['path=plants', /Did you mean "\/plants"\?/],
    ['path=/plants%3Flimit=3', /Put what follows the "\?" into "query"/],
    ['method=GTE', /there is no method "GTE"\. Did you mean "GET"\?/],
    ['header.=x', /^header\.: expected a name after the dot/],
    [`body.name=${'x'.repeat(1_001)}`, /expected at most 1000 characters/],
    [Array.from({ length: 51 }, (_, place) => `body.f${place}=1`).join('&'), /at most 50 fields/],
  ] as const)
    expectControlError(await control('GET', `${journal}?${query}`), 400, 'invalid_request', message)
})

testControl(
  'what entries that made room, or a body that is not whole, may have been is not denied',
  { journal: { entries: 2 } },
  async ({ control, call }) => {
    const post = (name: string) => call('/plants', { method: 'POST', body: JSON.stringify({ name, tag: 'x' }) })
    await post('x'.repeat(70_000))
    expectControlError(await control('GET', `${journal}?body.tag=x`), 409, 'journal_evicted', /request 1 was too large/)
    expect((await control('GET', `${journal}?body.tag=x&path=/v1/apps`)).body.data).toEqual([])
    for (let count = 0; count < 3; count++) await call('/v1/apps')
    expectControlError(await control('GET', `${journal}?path=/plants`), 409, 'journal_evicted')
    expect((await control('GET', `${journal}?path=/plants&operation=apps.get`)).body.data).toEqual([])
  },
)
