import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const headers = { authorization: 'Bearer key_lite', 'content-type': 'application/json' }
const url = 'http://any/plants'

test.each<[what: string, args: Parameters<typeof fetch>]>([
  ['a request', [new Request(url, { headers })]],
  ['a text and options', [url, { headers }]],
  ['a URL and options', [new URL(url), { headers }]],
  ['a request and options', [new Request(url), { headers }]],
])('greenhouse.fetch takes %s', async (_, args) => {
  const reply = await createGreenhouse().fetch(...args)
  expect([reply.status, await reply.json()]).toEqual([200, []])
})

test('greenhouse.fetch takes a path, as a page does, and refuses other texts', async () => {
  expect((await createGreenhouse().fetch('/plants', { headers })).status).toBe(200)
  await expect(createGreenhouse().fetch('//any/plants')).rejects.toThrow(/any|Invalid URL/)
  await expect(createGreenhouse().fetch('plants')).rejects.toThrow(/plants|Invalid URL/)
})
