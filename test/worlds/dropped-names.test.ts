import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'

test('the newest 100,000 dropped worlds are remembered, an older one may be made again', () => {
  const greenhouse = createGreenhouse({ maxWorlds: 2 })
  const remembered = 100_000
  for (let place = 0; place <= remembered; place++) greenhouse.world(`w${place}`)
  expect(() => greenhouse.world('w0')).toThrow(/"w0" was dropped/)
  for (let place = remembered + 1; place <= remembered + 2_000; place++) greenhouse.world(`w${place}`)
  expect(greenhouse.hasWorld('w0')).toBe(false)
  expect(() => greenhouse.world('w2000')).toThrow(/"w2000" was dropped/)
  expect(greenhouse.world('w0').name).toBe('w0')
})
