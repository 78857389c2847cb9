import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { logRequests } from '../../src/cli/output/request-log.ts'
import { createGreenhouse } from '../../src/index.ts'

test('a line of any length is written whole, as are lines that follow it immediately', async () => {
  const greenhouse = createGreenhouse()
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const end = logRequests(greenhouse, 'json', stream, {})
  const ask = (path: string) => greenhouse.fetch(new Request(`http://any${path}`)).then((reply) => reply.text())
  for (const length of [10, 14_000, 21_000, 22_000, 30_000, 66_000, 10]) {
    await ask(`/plants?${'é'.repeat(10)}${'a'.repeat(length)}`)
    await ask(`/plants?after=${length}`)
  }
  end()
  const urls = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).request.url as string)
  expect(urls.filter((url) => url.startsWith('/plants?after='))).toEqual(
    [10, 14_000, 21_000, 22_000, 30_000, 66_000, 10].map((length) => `/plants?after=${length}`),
  )
  expect(urls).toHaveLength(14)
})
