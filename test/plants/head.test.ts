import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const authorization = 'Bearer key_pro'

testApi('HEAD answers as GET does, without the body', async ({ send }) => {
  for (const path of ['/plants', '/plants?limit=2', '/plants?limit=ten', '/plants/101/leaves']) {
    const get = await send(path, { headers: { authorization } })
    const head = await send(path, { method: 'HEAD', headers: { authorization } })
    expect(head.status, path).toBe(get.status)
    expect(await head.text(), path).toBe('')
    expect(head.headers.get('content-type'), path).toBe('application/json')
    expect(head.headers.get('content-length'), path).toBe(String((await get.arrayBuffer()).byteLength))
  }
})

testApi('HEAD without a key is 401', async ({ send }) => {
  expect((await send('/plants', { method: 'HEAD' })).status).toBe(401)
})
