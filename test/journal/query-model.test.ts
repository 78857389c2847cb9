import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type JournalQuery } from 'greenhouse-mock'
import { times } from '../support/soak.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Few names and values, so that questions often fit. */
const name = fc.constantFrom('a', 'b', 'name')
const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, true, 0, 1, 9007199254740991, '', 'x', '1')
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(name, tie('value'), { maxKeys: 2 }),
  ),
})).value

/** The accounts of the keys. */
const holders = { key_free: 'acct_free', key_pro: 'acct_pro', key_expired: 'acct_pro', key_nobody: undefined }

const path = fc.constantFrom('/plants', '/v1/apps', '/v1/apps/app_1', '/v1/apps/app_1/webhooks', '/v1/odd%20path')
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  path,
  search: fc.constantFrom('', '?a=1', '?a=1&a=2', '?b=&a=x'),
  headers: fc.dictionary(fc.constantFrom('x-a', 'x-b'), fc.constantFrom('1', 'x'), { maxKeys: 2 }),
  body: fc.option(value, { nil: undefined }),
  key: fc.constantFrom<keyof typeof holders | ''>('', 'key_free', 'key_pro', 'key_expired', 'key_nobody'),
})
const expectedText = fc.constantFrom<string | number | boolean>('1', 1, 2, 'x', true, false)
const fields = {
  method: fc.constantFrom('GET', 'post'),
  path: fc.oneof(
    path,
    fc.constantFrom('/v1/*', '/v1/apps/*', '/v1/**', '/**/webhooks', '/v1/{id}', '/*/apps', '/v1/odd path'),
  ),
  query: fc.dictionary(fc.constantFrom('a', 'b'), expectedText, { maxKeys: 2 }),
  headers: fc.dictionary(fc.constantFrom('X-A', 'x-b'), expectedText, { maxKeys: 2 }),
  body: value,
  account: fc.constantFrom('acct_free', 'acct_pro', 'acct_lite'),
}
const query = fc.oneof(
  fc.record(fields, { requiredKeys: [] }),
  // By itself each part meets many requests.
  ...Object.entries(fields).map(([name, arbitrary]) => fc.record({ [name]: arbitrary } as Partial<typeof fields>)),
)

/** Answers the query in the simplest way. */
function fits(
  sent: typeof request extends fc.Arbitrary<infer T> ? T : never,
  asked: typeof query extends fc.Arbitrary<infer T> ? T : never,
): boolean {
  const isText = (values: string[], wanted: string | number | boolean) =>
    typeof wanted === 'boolean' ? values.length > 0 === wanted : values.some((one) => one === `${wanted}`)
  const pattern = (text: string) =>
    new RegExp(
      `^${text
        .split('/')
        .map((step) => (step === '**' ? '(.+)' : step.startsWith('{') ? '[^/]+' : step.replaceAll('*', '[^/]*')))
        .join('/')}$`,
    )
  const hasBody = sent.body !== undefined && sent.method !== 'GET'
  return (
    (asked.account === undefined || (sent.key !== '' && asked.account === holders[sent.key])) &&
    (asked.method === undefined || asked.method.toUpperCase() === sent.method) &&
    (asked.path === undefined ||
      pattern(asked.path).test(sent.path) ||
      pattern(asked.path).test(decodeURIComponent(sent.path))) &&
    Object.entries(asked.query ?? {}).every(([key, wanted]) =>
      isText(new URLSearchParams(sent.search).getAll(key), wanted),
    ) &&
    Object.entries(asked.headers ?? {}).every(([key, wanted]) =>
      isText([sent.headers[key.toLowerCase()] ?? []].flat(), wanted),
    ) &&
    (asked.body === undefined || (hasBody && holds(sent.body as Json, asked.body)))
  )
}

function holds(actual: Json | undefined, wanted: Json): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((one, place) => holds(actual[place], one))
    )
  if (typeof wanted === 'object' && wanted !== null)
    return (
      typeof actual === 'object' &&
      actual !== null &&
      !Array.isArray(actual) &&
      Object.keys(wanted).every((key) => key in actual && holds(actual[key], wanted[key]!))
    )
  return actual === wanted
}

test('questions find what a plain filter finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 12 }),
      fc.array(query, { minLength: 1, maxLength: 12 }),
      async (requests, queries) => {
        const greenhouse = createGreenhouse({ frozen: true })
        for (const { method, path: to, search, headers, body, key } of requests)
          await greenhouse.fetch(
            new Request(`http://any${to}${search}`, {
              method,
              headers: { ...headers, ...(key !== '' && { authorization: `Bearer ${key}` }) },
              body: body === undefined || method === 'GET' ? null : JSON.stringify(body),
            }),
          )
        const { journal } = greenhouse.world()
        for (const asked of queries)
          expect(journal.calls(asked as JournalQuery).map(({ id }) => id)).toEqual(
            requests.flatMap((sent, place) => (fits(sent, asked) ? [place + 1] : [])),
          )
      },
    ),
    { numRuns: times(1_000, 100) },
  )
})
