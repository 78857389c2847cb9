import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { throughOwn } from '../support/through.ts'
import { createBehaviours } from './assumptions/create.ts'
import { deleteBehaviours } from './assumptions/delete.ts'
import { listBehaviours } from './assumptions/list.ts'
import { refusalBehaviours } from './assumptions/refusals.ts'

const behaviours = [...listBehaviours, ...createBehaviours, ...deleteBehaviours, ...refusalBehaviours]
const proven: Record<string, string[]> = {}

for (const [id, value, sentence, prove] of behaviours) {
  const values = (proven[id] ??= [])
  if (values.length === 0) throughOwn(`${sentence}, by default`, prove)
  values.push(value)
  throughOwn(`${sentence}, with ${id}=${value}`, prove, { assumptions: { [id]: value } })
}

test('every value of every assumption about plants is proven here, the default first', () => {
  const known = createGreenhouse()
    .assumptions()
    .filter(({ id }) => id.startsWith('plants.') && id !== 'plants.webhook')
  expect(proven).toEqual(Object.fromEntries(known.map(({ id, values }) => [id, values])))
})
