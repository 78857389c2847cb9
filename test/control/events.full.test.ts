import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

testControl(
  '20,000 events take bounded memory',
  { journal: { entries: 100 } },
  async ({ greenhouse, server }) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const used = () => {
      collect()
      collect()
      return process.memoryUsage().heapUsed
    }
    const ask = (count: number) =>
      greenhouse.fetch(
        new Request(`http://x/plants?limit=1&page=${count}`, {
          headers: { authorization: 'Bearer key_pro' },
        }),
      )
    const stream = await readEvents(server, '/events?types=problems')
    await stream.until(({ type }) => type === 'start')
    for (let count = 0; count < 2_000; count++) await ask(count)
    await turn()
    const before = used()
    for (let count = 0; count < 20_000; count++) {
      await ask(count)
      if (count % 100 === 0) await turn()
    }
    await turn()
    expect(used() - before).toBeLessThan(8 * 2 ** 20)
  },
)
