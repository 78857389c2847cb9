import { expect, test } from 'vitest'
import { Cors } from '../../src/core/http/cors.ts'
import { readHeaders } from '../../src/core/http/raw-headers.ts'

const page = 'https://app.example'
const none = new Cors()
const one = new Cors([page])
const all = new Cors(['*'])

const ask = (headers: Record<string, string>, method = 'GET') => ({ method, path: '/', headers })

test.each<[headers: Record<string, string>, isOwnHost: boolean, senders: string]>([
  [{}, false, 'own own own'],
  [{ 'sec-fetch-site': 'same-origin' }, false, 'own own own'],
  [{ 'sec-fetch-site': 'none' }, false, 'own own own'],
  [{ 'sec-fetch-site': 'cross-site' }, false, 'crossOrigin crossOrigin allowedOrigin'],
  [{ origin: page }, false, 'crossOrigin allowedOrigin allowedOrigin'],
  [{ origin: page, 'sec-fetch-site': 'same-origin' }, false, 'own own own'],
  [{ origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }, false, 'own own own'],
  [{ origin: 'null' }, false, 'crossOrigin crossOrigin allowedOrigin'],
  [{ origin: 'https://other.example' }, false, 'crossOrigin crossOrigin allowedOrigin'],
  [{ origin: 'HTTPS://Own.example:1', host: 'OWN.example:1' }, true, 'own own own'],
  [{ origin: 'http://own.example', host: 'own.example' }, true, 'own own own'],
  [
    { origin: 'http://own.example', host: 'own.example' },
    false,
    'crossOrigin crossOrigin allowedOrigin',
  ],
  [
    { origin: 'ftp://own.example', host: 'own.example' },
    true,
    'crossOrigin crossOrigin allowedOrigin',
  ],
  [
    { origin: 'http://own.example', host: 'own.example:80' },
    true,
    'crossOrigin crossOrigin allowedOrigin',
  ],
])('who sends %j is told apart (%s)', (headers, isOwnHost, senders) => {
  expect([none, one, all].map((cors) => cors.senderOf(ask(headers), isOwnHost)).join(' ')).toBe(
    senders,
  )
})

const added = (
  before: Record<string, string>,
  headers: Record<string, string> = { origin: page },
  cors = one,
  method = 'GET',
) => {
  const after = { ...before }
  cors.addHeaders(ask(headers, method), after)
  return after
}

const allowed = { 'Access-Control-Allow-Origin': page, 'Access-Control-Allow-Credentials': 'true' }

test('an allowed page reads the reply and its headers; no other page does', () => {
  expect(added({ 'X-A': '1' }, {})).toEqual({ 'X-A': '1' })
  expect(added({ 'X-A': '1' }, { origin: page }, none)).toEqual({ 'X-A': '1', Vary: 'Origin' })
  expect(added({ 'X-A': '1', 'Content-Type': 'x', ETag: 'y' })).toEqual({
    'X-A': '1',
    'Content-Type': 'x',
    ETag: 'y',
    Vary: 'Origin',
    ...allowed,
    'Access-Control-Expose-Headers': 'X-A, ETag',
  })
})

test('what a reply says itself stays, and its lists are added to', () => {
  const own = {
    vary: 'Accept',
    'access-control-allow-origin': '*',
    'Access-Control-Expose-Headers': 'x-a',
    'X-A': '1',
    'X-B': '2',
  }
  expect(added(own)).toEqual({
    ...own,
    vary: 'Accept, Origin',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'x-a, X-B',
  })
  const lists = ['*', 'Accept, *', 'origin', 'Accept , ORIGIN', '', ' ']
  expect(lists.map((Vary) => added({ Vary }, { origin: page }, none).Vary)).toEqual([
    '*',
    'Accept, *',
    'origin',
    'Accept , ORIGIN',
    'Origin',
    'Origin',
  ])
  const unlisted = `Cache-Control Content-Language Content-Length Expires Last-Modified Pragma
    Set-Cookie Access-Control-Max-Age`
  const others = 'Content-Types XCache-Control Expired Access-Controls'
  const reply = Object.fromEntries(`${unlisted} ${others}`.split(/\s+/).map((name) => [name, '']))
  expect(added(reply)['Access-Control-Expose-Headers']).toBe(others.replaceAll(' ', ', '))
})

test('a preflight says what a page may send', () => {
  const headers = {
    origin: page,
    'access-control-request-method': 'patch',
    'access-control-request-headers': 'x-a, x-b',
  }
  const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
  expect(none.preflight(ask(headers))).toBeUndefined()
  expect(none.preflight(ask({ origin: page }, 'OPTIONS'))).toBeUndefined()
  const told = (more: object, cors = one) => {
    const { status, headers: sent } = cors.preflight(ask({ ...headers, ...more }, 'OPTIONS'))!
    expect(status).toBe(204)
    return sent
  }
  const { Vary, ...sent } = told({})
  expect(Vary).toBe('Origin')
  expect(sent).toMatchObject({
    ...allowed,
    'Access-Control-Allow-Methods': `${methods}, patch`,
    'Access-Control-Allow-Headers': 'x-a, x-b',
    'Access-Control-Max-Age': '600',
  })
  expect(sent).not.toHaveProperty('Access-Control-Allow-Private-Network')
  expect(sent).not.toHaveProperty('Access-Control-Expose-Headers')
  for (const method of ['PATCH', 'QUERY', 'query'])
    expect(told({ 'access-control-request-method': method })['Access-Control-Allow-Methods']).toBe(
      methods,
    )
  const network = 'access-control-request-private-network'
  expect(told({ [network]: 'true' })['Access-Control-Allow-Private-Network']).toBe('true')
  expect(told({ [network]: 'false' })).not.toHaveProperty('Access-Control-Allow-Private-Network')
  expect(told({}, none)).not.toHaveProperty('Access-Control-Allow-Methods')
})

test('headers that a scenario adds can be read, unless it changed their list', () => {
  const exposed = (
    after: Record<string, string>,
    cors = one,
    headers: Record<string, string> = { origin: page },
  ) => {
    const before = { 'Access-Control-Expose-Headers': 'X-A' }
    const changed: Record<string, string> = { ...before, ...after }
    cors.exposeAdded(ask(headers), before, changed)
    return changed['Access-Control-Expose-Headers']
  }
  expect(exposed({ 'X-B': '' })).toBe('X-A, X-B')
  expect(exposed({ 'X-B': '', 'Access-Control-Expose-Headers': 'X-C' })).toBe('X-C')
  expect(exposed({ 'X-B': '' }, none)).toBe('X-A')
  expect(exposed({ 'X-B': '' }, one, {})).toBe('X-A')
  const bare = { 'X-B': '' }
  one.exposeAdded(ask({ origin: page }), {}, bare)
  expect(bare).toEqual({ 'X-B': '' })
})

test('received headers are looked up as they are mostly written, and sent again as they came', () => {
  const raw = ['content-TYPE', 'a', 'x-a', '1', 'X-A', '2', 'vary', 'b']
  const { headers, toRaw } = readHeaders(raw)
  expect(headers).toEqual({ 'Content-Type': 'a', 'x-a': '1, 2', Vary: 'b' })
  expect(toRaw(headers)).toEqual(raw)
  const { Vary: _, ...rest } = headers
  expect(toRaw({ ...rest, 'x-a': '3', New: '4' })).toEqual([
    'content-TYPE',
    'a',
    'x-a',
    '3',
    'New',
    '4',
  ])
  const usual = `Content-Length Content-Encoding Date Retry-After Trailer X-Greenhouse
    X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset`.split(/\s+/)
  const lower = usual.flatMap((name) => [name.toLowerCase(), ''])
  expect(Object.keys(readHeaders(lower).headers)).toEqual(usual)
})
