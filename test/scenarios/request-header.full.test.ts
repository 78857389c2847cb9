import { expect } from 'vitest'
import { heapInUse } from '../memory/heap.ts'
import { own, throughCore } from './helpers.ts'

const using = (scenario: string) => ({ headers: { 'x-greenhouse-scenario': scenario } })

const failsOnce = own({
  options: { text: { default: '' } },
  respond: [{ on: 'plants.list', status: 503, body: { text: '${text}' }, times: 1 }],
})

throughCore(
  'what long headers make a world remember is small',
  async ({ greenhouse, call, world }) => {
    greenhouse.reload({ scenarios: failsOnce })
    const long = (number: number) =>
      Array.from(
        { length: 20 },
        (_, index) => `own:text=${String(number).padStart(500, 'x')}${index}`,
      ).join(',')
    const ask = (number: number) => call('GET', '/plants', using(long(number)))
    for (let number = 0; number < 100; number++) expect((await ask(number)).status).toBe(503)
    expect((await ask(99)).status, 'the text is remembered').toBe(200)
    world.journal.clear()
    const before = heapInUse()
    for (let number = 100; number < 400; number++) await ask(number)
    world.journal.clear()
    expect(heapInUse() - before).toBeLessThan(2 ** 20)
  },
)
