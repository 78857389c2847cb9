import { createGreenhouse, plants } from 'greenhouse-mock/parts'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'

declare global {
  var askInPage: () => Promise<{ status: number; body: string }[]>
}

const greenhouse = createGreenhouse({
  areas: [plants],
  records: {
    accounts: [{ id: 'ann', name: 'Ann', email: 'ann@example.com', plan: 'pro' }],
    keys: [{ secret: 'key_ann', account: 'ann' }],
  },
})

globalThis.askInPage = async () => {
  const worker = setupWorker(...createHandlers(greenhouse, { plants: 'http://plants.test' }))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  const ask = async (method: string, path: string, body?: string, key = 'key_ann') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`http://plants.test${path}`, { method, headers, ...(body && { body }) })
    return { status: response.status, body: await response.text() }
  }
  return [
    await ask('POST', '/plants', '{"id":9007199254740995,"name":"Fern"}'),
    await ask('POST', '/plants', '{"id":1}'),
    await ask('GET', '/plants'),
    await ask('DELETE', '/plants/9007199254740995'),
    await ask('GET', '/plants', undefined, 'nobody'),
  ]
}
