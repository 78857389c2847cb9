import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { start } from '../support/test-api.ts'
import { startReceiver } from './receiver.ts'

type Due = { at: string; kind: string; title: string; subject?: { collection: string; id: string } }

testControl('what is due of a delivery tells which attempt it is, from the second on', async (controlled) => {
  const { control, call, greenhouse } = controlled
  const receiver = await startReceiver(() => 500)
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(start)
  world.records.webhooks.replace([])
  world.records.deliveries.replace([])
  const body = JSON.stringify({ url: receiver.url, events: ['plant.created'] })
  const { id } = (await (await call('/v1/webhooks', { method: 'POST', body })).json()) as { id: string }
  await call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
  const titles = async () =>
    ((await control('GET', '/worlds/default/due?limit=1000')).body.data as Due[])
      .filter(({ kind }) => kind === 'delivery')
      .map(({ title }) => title)
  await expect.poll(titles).toEqual([`plant.created is sent to ${id} again, attempt 2`])
  await control('POST', '/worlds/default/due/next')
  await expect.poll(titles).toEqual([`plant.created is sent to ${id} again, attempt 3`])
  const ids = ['dlv_aaaaaaaaaaaaaaaa', 'dlv_bbbbbbbbbbbbbbbb']
  const [delivery] = world.records.deliveries.all()
  world.records.deliveries.replace(ids.map((id) => ({ ...delivery!, id, tries: 0 })))
  expect(await titles()).toEqual(ids.map(() => `plant.created is sent to ${id}`))
})
