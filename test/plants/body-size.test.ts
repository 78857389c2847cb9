import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { post } from './post.ts'
import { expectRefusal } from './refusal.ts'

function plantOf(id: number, bytes: number): string {
  const frame = `{"id":${id},"name":""}`
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
}

testApi('a body of 1 MiB is read, one of a byte more is not', async ({ send, call }) => {
  const { status, body } = await post(send, plantOf(1007, 2 ** 20))
  expect(status).toBe(200)
  expect(body.name.length).toBeGreaterThan(2 ** 20 - 100)
  expectRefusal(await post(send, plantOf(1008, 2 ** 20 + 1)), 413)
  expect((await call('DELETE', '/plants/1008')).status).toBe(404)
})

testApi('the limit of the body can be set', { bodyLimit: 100 }, async ({ send }) => {
  expect((await post(send, plantOf(1007, 100))).status).toBe(200)
  expectRefusal(await post(send, plantOf(1008, 101)), 413)
  expectRefusal(await post(send, plantOf(1008, 200_000)), 413)
  expect((await post(send, plantOf(1008, 99))).status).toBe(200)
})

testApi('the limit counts bytes, not characters', { bodyLimit: 100 }, async ({ send }) => {
  expectRefusal(await post(send, `{"id":1007,"name":"${'ü'.repeat(60)}"}`), 413)
  expect((await post(send, `{"id":1007,"name":"${'u'.repeat(60)}"}`)).status).toBe(200)
})

testApi('a body that comes in parts without a length is counted too', { bodyLimit: 100 }, async ({ send }) => {
  const inParts = async (body: string) => {
    const { status } = await send('/plants', {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
      body: new Blob([body.slice(0, 40), body.slice(40)]).stream(),
      duplex: 'half',
    } as RequestInit)
    return status
  }
  expect(await inParts(plantOf(1007, 100))).toBe(200)
  expect(await inParts(plantOf(1008, 101))).toBe(413)
})
