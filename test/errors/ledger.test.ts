import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

/**
 * Which test, or table of a test, answers for each assumption about apps, keys, limits, errors and
 * HTTP.
 */
const covered: Record<string, string> = {
  'rate-limit.reset-unit': 'rate-limit/budgets',
  'rate-limit.window': 'rate-limit/model',
  'rate-limit.reported': 'rate-limit/model',
  'rate-limit.scope': 'rate-limit/model',
  'rate-limit.rejected': 'rate-limit/model',
  'rate-limit.unauthenticated': 'rate-limit/budgets',
  'rate-limit.retry-after': 'rate-limit/budgets',
  'auth.scheme-case': 'auth/keys',
  'auth.missing-code': 'auth/keys',
  'auth.expired-code': 'auth/keys',
  'errors.codes': 'errors/replies',
  'errors.request-id-header': 'errors/replies',
  'http.date': 'errors/replies',
  'http.head': 'errors/replies',
  'http.unknown-path': 'auth/keys',
  'apps.list.shape': 'apps/lists',
  'apps.create.status': 'coverage/ways.ts',
  'apps.delete.status': 'coverage/ways.ts',
  'apps.unknown-fields': 'apps/creating',
  'apps.unknown-query': 'apps/creating',
  'apps.text-length': 'apps/creating',
}

const assumptions = createGreenhouse()
  .assumptions()
  .filter(({ id }) => /^(rate-limit|auth|errors|apps|http)\./.test(id))

test('the tests cover exactly the assumptions about apps, keys, limits, errors and HTTP', () => {
  expect(Object.keys(covered).sort()).toEqual(assumptions.map(({ id }) => id).sort())
})

for (const { id, values } of assumptions)
  test(`the test of ${id} switches it to each of its alternatives`, () => {
    const name = covered[id]!
    const file = name.endsWith('.ts') ? name : `${name}.test.ts`
    const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    expect(source).toContain(id)
    for (const alternative of values.slice(1)) expect(source).toContain(`'${alternative}'`)
  })
