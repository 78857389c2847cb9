import { afterAll, expect, test } from 'vitest'
import { UnsupportedFaultError } from '../../src/core/world/effective-settings.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { bundledScenarios } from '../../src/scenarios/language/bundled.ts'
import { adapters, type Adapter } from '../support/adapters.ts'
import { soaks } from '../support/soak.ts'
import { start } from '../support/test-api.ts'
import { observe, type Outcome } from './observe.ts'

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
 * Those with a fault, as every adapter produces that in its own way; of the others one in four
 * unless the tests run at full size.
 */
const scenarios = [...bundledScenarios.keys()].filter(
  (name, index) => soaks || 'fault' in bundledScenarios.get(name)! || index % 4 === 0,
)

test.each(scenarios)(
  '%s is the same through every adapter that can produce it',
  async (scenario) => {
    const able = adapters.filter((adapter) => !endsProcess(adapter, scenario))
    const observed = new Map<string, Outcome[] | 'refused'>()
    const see = async (adapter: Adapter) =>
      observed.set(adapter.name, await live(adapter, scenario))
    // MSW intercepts whatever the process sends, so it has its turn alone.
    for (const adapter of able) if (adapter.name === 'msw') await see(adapter)
    await Promise.all(able.filter(({ name }) => name !== 'msw').map(see))
    const reference = observed.get('node server') as Outcome[]
    const needsConnection =
      reference.some(
        ({ failure }) => failure !== undefined && failure !== 'no reply, until the client gives up',
      ) && !hasFault(scenario, 'network-error')
    for (const [adapter, outcomes] of observed)
      if (!needsConnection || adapter === 'node server' || adapter === 'express')
        expect(outcomes, adapter).toEqual(reference)
      else if (adapter === 'core')
        expect(
          (outcomes as Outcome[])
            .filter((one, step) => JSON.stringify(one) !== JSON.stringify(reference[step]))
            .map(({ failure }) => failure),
        ).toSatisfy(saysWhy, adapter)
      else expect(outcomes, adapter).toBe('refused')
  },
)

function saysWhy(failures: readonly (string | undefined)[]): boolean {
  return (
    failures.length > 0 &&
    failures.every(
      (failure) => failure === 'the request fails, saying that the fault needs a connection',
    )
  )
}

type Opened = Awaited<ReturnType<typeof open>>

async function open(adapter: Adapter) {
  const greenhouse = createGreenhouse({ now: start })
  return { greenhouse, ...(await adapter.open(greenhouse)) }
}

/**
 * What all scenarios share, each in a world of its own. MSW intercepts whatever the process sends,
 * so it does not stay open.
 */
const opened = new Map<string, Promise<Opened>>()

afterAll(async () => {
  for (const one of opened.values()) await (await one).close()
})

/**
 * Lives the history under a scenario. Whether a reply took long depends on the machine and is left
 * out.
 */
async function live(adapter: Adapter, scenario: string): Promise<Outcome[] | 'refused'> {
  const isAlone = adapter.name === 'msw'
  if (!isAlone && !opened.has(adapter.name)) opened.set(adapter.name, open(adapter))
  const { greenhouse, send, close } = isAlone
    ? await open(adapter)
    : await opened.get(adapter.name)!
  const world = greenhouse.world(scenario)
  world.clock.freeze()
  world.clock.set(start)
  try {
    world.use(scenario as never)
    const outcomes: Outcome[] = []
    for (const [path, init] of history)
      outcomes.push({ ...(await observe(send, world, `/~${scenario}${path}`, init)), held: false })
    return outcomes
  } catch (error) {
    if (error instanceof UnsupportedFaultError) return 'refused'
    throw error
  } finally {
    if (isAlone) await close()
    else greenhouse.deleteWorld(scenario)
  }
}

/**
 * Whether `HttpResponse.error()` ends the process, as in @mswjs/http-middleware (docs/parity.md).
 */
function endsProcess({ name }: Adapter, scenario: string): boolean {
  return name === 'http-middleware' && hasFault(scenario, 'network-error')
}

function hasFault(scenario: string, kind: string): boolean {
  return ((bundledScenarios.get(scenario)!['fault'] ?? []) as { kind: string }[]).some(
    (fault) => fault.kind === kind,
  )
}
