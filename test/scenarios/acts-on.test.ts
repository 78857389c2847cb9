import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { own } from './effects/own.ts'

const ok = { status: 200, body: {} }
const actsOn: [effects: Record<string, unknown>, actsOn: string[]][] = [
  [{ respond: [{ ...ok, on: 'plants.*' }] }, ['plants']],
  [{ respond: [{ ...ok, on: ['deployments.list', 'apps.get'] }] }, ['apps']],
  [{ respond: [ok] }, ['plants', 'apps']],
  [{ respond: [{ ...ok, on: 'apps.list' }], deliver: [{ kind: 'lost' }] }, ['apps', 'webhooks']],
  [{ deliver: [{ kind: 'late' }] }, ['webhooks']],
  [{ account: [{ plan: 'lite' }] }, ['apps']],
  [{ records: [{ collection: 'plants', keep: 'none' }] }, ['plants']],
  [{ records: [{ collection: 'webhooks', keep: 'none' }] }, ['apps']],
  [{ records: [{ collection: 'accounts', keep: 'none' }] }, ['plants', 'apps']],
  [{ records: [{ collection: 'keys', keep: 'none' }] }, ['plants', 'apps']],
  [{ assume: { 'plants.delete.unknown': 204 } }, ['plants']],
  [{ assume: { 'webhooks.retries': 'none' } }, ['apps']],
  [{ assume: { 'rate-limit.window': 'sliding' } }, ['apps']],
  [{ assume: { 'http.head': '404' } }, ['plants', 'apps']],
]

test('a scenario lists the areas that its effects can act on, and whether they act on webhooks', () => {
  for (const [effects, expected] of actsOn) {
    const [ours] = createGreenhouse({ scenarios: own(effects) })
      .scenarios()
      .filter(({ name }) => name === 'own')
    expect(ours!.acts_on, JSON.stringify(effects)).toEqual(expected)
  }
})
