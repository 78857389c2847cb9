import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

test('the least and the greatest value of an option may be the same', () => {
  const about = { title: 'T', description: 'D', covers: 'C' }
  const options = { ms: { description: 'How long', default: 3, min: 3, max: 3 } }
  const scenarios = { own: { ...about, options, fault: [{ kind: 'delay', fixed: '${ms}' }] } }
  expect(() => createGreenhouse({ scenarios })).not.toThrow()
})
