import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'

const cap = 65_536

testApi(
  'of a large body 64 KiB are kept, of the request and of the reply, while the reply is whole',
  async ({ world, call }) => {
    const name = 'n'.repeat(cap)
    const { text } = await call('POST', '/plants', { body: { id: 9_001, name } })
    expect(JSON.parse(text)).toEqual({ name })
    const [{ request, response } = expect.fail()] = world.journal.calls()
    expect(request.body).toBe(`{"id":9001,"name":"${name}`.slice(0, cap))
    expect(response.body).toBe(text.slice(0, cap))
  },
)

testApi('a body of just 64 KiB is kept whole', async ({ world, call }) => {
  const frame = JSON.stringify({ id: 9_001, name: '' }).length
  const body = JSON.stringify({ id: 9_001, name: 'n'.repeat(cap - frame) })
  expect(body).toHaveLength(cap)
  await call('POST', '/plants', { body })
  expect(world.journal.calls()[0]!.request.body).toBe(body)
})

testApi('a body that is no text does not hurt', async ({ world, send }) => {
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  expect((await send('/plants', { method: 'POST', headers, body: new Uint8Array([0xff, 0xfe, 0x00]) })).status).toBe(
    400,
  )
  expect(world.journal.calls()[0]!.request.body).toBe('\ufffd\ufffd\0')
})

testApi(
  'only the kept part of a large body counts against the memory of journals',
  { journal: { memory: 2 ** 20 } },
  async ({ world, call }) => {
    for (let id = 9_001; id <= 9_005; id++)
      await call('POST', '/plants', { body: { id, name: id + 'n'.repeat(300_000) } })
    const lengths = world.journal.calls().map(({ response }) => String(response.body).length)
    expect(lengths).toEqual([cap, cap, cap, cap, cap])
  },
)

testApi(
  'secrets in a body are hidden: quoted ones with spaces, and keys like those of the service',
  async ({ world, send, call }) => {
    const body = `password="open sesame" token='closed sesame' note=key_abcdefghijklmnop`
    await send('/plants', { method: 'POST', headers: { 'content-type': 'text/plain' }, body })
    const kept = world.journal.calls()[0]!.request.body
    expect(kept).toMatch(/^password=".+" token='.+' note=/)
    expect(kept).not.toMatch(/sesame|abcdefgh/)
    await call('POST', '/plants', {
      body: '{"token":{"a":{"b":"abcdefgh"},"c":["ijklmnop"],"d":"qrstuvwx"},"name":"Fern"}',
    })
    expect(world.journal.calls()[1]!.request.body).toMatch(/^(?!.*(abcd|ijkl|qrst)).*"name":"Fern"\}$/)
  },
)
