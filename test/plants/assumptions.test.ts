import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testApi } from '../support/test-api.ts'
import { createBehaviours, deleteBehaviours } from './assumptions/writes.ts'
import { listBehaviours } from './assumptions/list.ts'
import { refusalBehaviours } from './assumptions/refusals.ts'

const behaviours = [...listBehaviours, ...createBehaviours, ...deleteBehaviours, ...refusalBehaviours]
const proven: Record<string, string[]> = {}

for (const { id, value, sentence, prove } of behaviours) {
  const values = (proven[id] ??= [])
  if (values.length === 0) testApi(`${sentence}, by default`, {}, prove)
  values.push(value)
  testApi(`${sentence}, with ${id}=${value}`, { assumptions: { [id]: value } }, prove)
}

test('every value of every assumption about plants is proven here, the default first', () => {
  const known = createGreenhouse()
    .assumptions()
    .filter(({ id }) => id.startsWith('plants.') && id !== 'plants.webhook')
  expect(proven).toEqual(Object.fromEntries(known.map(({ id, values }) => [id, values])))
})
