import { expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { bundledScenarios } from '../../src/scenarios/language/bundled.ts'
import { times } from '../support/soak.ts'
import { start } from '../support/test-api.ts'
import { observe, type Outcome } from '../parity/observe.ts'
import { standInFront } from './in-front.ts'

const pro = { authorization: 'Bearer key_pro' }
const json = { ...pro, 'content-type': 'application/json' }

/** The requests under every scenario. */
const history: readonly [path: string, init: RequestInit][] = [
  ['/plants?limit=3', { headers: pro }],
  ['/plants', { method: 'POST', headers: json, body: '{"id":5000,"name":"Ficus"}' }],
  ['/plants/5000', { method: 'DELETE', headers: pro }],
  ['/v1/apps?limit=2', { headers: pro }],
  ['/v1/apps', { method: 'POST', headers: json, body: '{"name":"helper"}' }],
  ['/v1/apps?limit=2', { headers: pro }],
]

/**
 * Random ids differ, and what is left of a quota: the service does not count what a scenario
 * answered.
 */
const mask = (text: string) =>
  text
    .replaceAll(/req_[a-z0-9]{16}/g, 'req_masked')
    .replaceAll(/("x-ratelimit-remaining",)"\d+"/g, '$1"masked"')

const ofOwnState = ['assume', 'records', 'account', 'payments', 'deliver']

/** At full size all of them; parity proves each through the adapters. */
const tried = [...bundledScenarios].filter((_, index) => index % times(1, 2) === 0)

test.each(tried)('%s is the same over a real service, or is refused', async (name, scenario) => {
  const mock = createGreenhouse({ now: start, frozen: true, trace: false })
  const real = await serve(mock)
  onTestFinished(() => real.close())
  const bases = { plants: `${real.url}/~real`, apps: `${real.url}/~real/v1` }
  const { world, send } = await standInFront(bases, { frozen: true })
  const kind = ofOwnState.find((one) => one in scenario)
  if (kind !== undefined) {
    expect(() => world.use(name as never)).toThrow(
      `Failed to use the scenario "${name}": its effect "${kind}" needs the state of the mock`,
    )
    return
  }
  const direct = mock.world('direct')
  direct.use(name as never)
  world.use(name as never)
  const live = async (path: (path: string) => string, at: typeof world, to: typeof send) => {
    const outcomes: Outcome[] = []
    for (const [one, init] of history)
      outcomes.push({ ...(await observe(to, at, path(one), init)), held: false })
    return JSON.parse(mask(JSON.stringify(outcomes))) as Outcome[]
  }
  const expected = await live(
    (path) => `/~direct${path}`,
    direct,
    (path, init) => fetch(real.url + path, init),
  )
  expect(await live((path) => path, world, send)).toEqual(expected)
})
