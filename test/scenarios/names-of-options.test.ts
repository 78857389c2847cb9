import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

for (const name of ['name', 'options'])
  test(`an option can not be called "${name}", which means something else beside it`, () => {
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
