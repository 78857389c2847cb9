import { expect, onTestFinished, test } from 'vitest'
import { ControlApi, type ControlMessage } from '../../src/control/client/control-api.ts'
import { controlFetch } from '../../src/control/fetch.ts'
import { createGreenhouse } from '../../src/index.ts'
import { sendInPage } from '../../src/panel/data/control.ts'

const origin = 'http://shop.test'

function connect() {
  const greenhouse = createGreenhouse({ seed: 1 })
  const bases = () => undefined
  const control = new ControlApi(origin, { fetch: controlFetch(greenhouse, { bases }) })
  return { greenhouse, control, send: sendInPage({ origin, fetch: greenhouse.fetch, bases }) }
}

test('events come as they happen, and go on after the one that was read last', async () => {
  const { control, greenhouse } = connect()
  const read = (lastId?: string) => {
    const seen: ControlMessage[] = []
    const aborter = new AbortController()
    onTestFinished(() => aborter.abort())
    const ended = (async () => {
      for await (const messages of control.events({ query: { world: 'default' }, lastId, signal: aborter.signal }))
        seen.push(...messages)
    })()
    const types = () => seen.map(({ type }) => type)
    return { seen, types, end: () => (aborter.abort(), ended) }
  }
  const first = read()
  await expect.poll(first.types).toEqual(['open', 'gap'])
  greenhouse.world().use('slow', { ms: 5 })
  await expect.poll(() => first.seen.at(-1)).toMatchObject({ type: 'scenarios', data: { world: 'default' } })
  await first.end()
  greenhouse.world().clock.freeze()
  const last = first.seen.at(-1)!
  const second = read('id' in last ? last.id : undefined)
  await expect.poll(second.types).toEqual(['open', 'clock'])
  await second.end()
  expect(first.types()).toEqual(['open', 'gap', 'scenarios'])
})

test('a request goes to the Greenhouse itself where no handlers are known', async () => {
  const { send, greenhouse } = connect()
  const response = await send('/v1/apps?limit=1', { headers: { authorization: 'Bearer key_pro' } })
  expect(response.status).toBe(200)
  await response.text()
  expect(greenhouse.world().journal.calls()).toMatchObject([{ operation: 'apps.list' }])
})
