import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

for (const name of ['name', 'options'])
  test(`an option cannot be called "${name}", which has another meaning`, () => {
    const own = {
      title: 'T',
      description: 'D',
      covers: 'C',
      options: { [name]: { default: 'day' } },
      quota: [{ window: `\${${name}}` }],
    }
    expect(() => createGreenhouse({ scenarios: { own } })).toThrow(
      `options.${name}: an option can't be called "${name}"`,
    )
  })
