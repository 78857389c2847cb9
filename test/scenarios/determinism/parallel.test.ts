import { expect, test } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { chancy, fromCore } from './sequence.ts'

const send = (greenhouse: Greenhouse, path: string, init: RequestInit = {}) =>
  greenhouse.fetch(new Request(`http://any${path}`, { headers: { authorization: 'Bearer key_pro' }, ...init }))

test('requests that arrive together meet the faults in the order of their arrival', async () => {
  const one = await fromCore(createGreenhouse({ scenarios: chancy, use: ['chancy'] }))
  const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy'] })
  const together = await Promise.all(Array.from({ length: 60 }, () => send(greenhouse, '/plants')))
  expect(together.map(({ status }) => status)).toEqual(one)
})

test('what else is asked at the same time moves nothing', async () => {
  const one = await fromCore(createGreenhouse({ scenarios: chancy, use: ['chancy'] }))
  const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy', { name: 'random-failures', on: 'apps.*' }] })
  const statuses: number[] = []
  for (let request = 0; request < 60; request++) {
    const [list] = await Promise.all([
      send(greenhouse, '/plants'),
      send(greenhouse, '/v1/apps'),
      send(greenhouse, '/plants', {
        method: 'POST',
        headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
        body: JSON.stringify({ id: 9000 + request, name: 'x' }),
      }),
      send(greenhouse, '/~elsewhere/plants'),
    ])
    statuses.push(list.status)
  }
  expect(statuses).toEqual(one)
})
