import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const own = {
  title: 'T',
  description: 'D',
  covers: 'C',
  options: { plan: { default: 'pro' } },
  respond: [
    { on: 'plants.list', status: 200, body: { a: '$${plan} is ${plan}', b: '$${', c: 'a $${plan', d: '$$${plan}' } },
  ],
}

test('a doubled dollar stands for the text that would begin an option', async () => {
  const greenhouse = createGreenhouse({ scenarios: { own }, use: ['own:plan=lite'] })
  const reply = await greenhouse.fetch(
    new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } }),
  )
  expect(await reply.json()).toEqual({ a: '${plan} is lite', b: '${', c: 'a ${plan', d: '$${plan}' })
})

test('one that uses no option otherwise says so', () => {
  const unused = { ...own, respond: [{ on: 'plants.list', status: 200, body: '$${plan}' }] }
  expect(() => createGreenhouse({ scenarios: { unused } })).toThrow('options.plan: is not used')
})
