import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { chancy, fromCore } from './sequence.ts'

test('the sequence restarts on a reset, and when the scenario is switched on again', async () => {
  const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy'] })
  const first = await fromCore(greenhouse)
  expect(await fromCore(greenhouse), 'it goes on').not.toEqual(first)
  greenhouse.world().reset()
  expect(await fromCore(greenhouse)).toEqual(first)
  greenhouse.world().use('chancy')
  expect(await fromCore(greenhouse)).toEqual(first)
})

test('a snapshot goes on from where it was taken', async () => {
  const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy'] })
  const world = greenhouse.world()
  await fromCore(greenhouse)
  world.snapshot('here')
  const next = await fromCore(greenhouse)
  world.restore('here')
  expect(await fromCore(greenhouse)).toEqual(next)
  world.restore('here')
  expect(await fromCore(greenhouse), 'a second time too').toEqual(next)
})

test('worlds of the same seed have the same sequence, each its own', async () => {
  const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy'] })
  const one = await fromCore(greenhouse, '/~one/plants')
  expect(await fromCore(greenhouse, '/~two/plants')).toEqual(one)
})
