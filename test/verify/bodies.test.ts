import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpClient } from '../../src/node-http/verify-http.ts'
import { toTableReport } from '../../src/cli/output/verify-table.ts'
import { toVerifyJson, toVerifyMarkdown } from '../../src/contract/verify/index.ts'
import { verifyGreenhouse } from './against.ts'
import { brokenOf, verifyStore } from './own-store.ts'
import { serveHttp } from './servers.ts'
import { Store } from './store.ts'

/** Serves a store, with its bodies as bytes. */
async function verifyServed(change: (text: string, headers: Record<string, string>) => Uint8Array | string) {
  const store = new Store()
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { status, ...reply } = store.answer({
      method: request.method!,
      url: `http://store.test${request.url}`,
      headers: { Authorization: request.headers.authorization! },
      body: text,
    })
    const headers = { ...reply.headers }
    const body = change(reply.text, headers)
    response.writeHead(status, headers).end(body)
  }
  const url = await serveHttp((request, response) => void listener(request, response))
  const { send, close } = createHttpClient()
  onTestFinished(close)
  return verifyStore(store, { targets: { plants: url }, send, timeout: 30_000 })
}

test('a body in another encoding is no JSON, and what it says is read all the same', async () => {
  const report = await verifyServed((text, headers) => {
    if (headers['content-type']) headers['content-type'] = 'application/json; charset=iso-8859-1'
    // Characters beyond the encoding are escaped, as JSON allows.
    return Buffer.from(
      text.replace(/[\u0100-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
      'latin1',
    )
  })
  expect(brokenOf(report)).toEqual(['plants.json'])
  expect(report.rules).toContainEqual(
    expect.objectContaining({
      id: 'plants.json',
      why: expect.stringMatching(/: the body is not in UTF-8, and is declared as iso-8859-1$/),
    }),
  )
})

test.each(['application/json; charset=iso-8859-1', 'application/json;charset=UTF-8', 'Application/JSON'])(
  'a body in UTF-8 is JSON, whatever a charset says that JSON does not have: %s',
  async (type) => {
    const report = await verifyServed((text, headers) => {
      if (headers['content-type']) headers['content-type'] = type
      return text
    })
    expect(brokenOf(report)).toEqual([])
  },
)

test('a body in an undeclared encoding is not JSON either', async () => {
  expect(brokenOf(await verifyServed((text) => Buffer.from(text.replace(/[\u0100-\uffff]/g, '?'), 'latin1')))).toEqual([
    'plants.create.unicode',
    'plants.json',
  ])
})

test('an endless body is reported as too large, and not as cut off', async () => {
  const chunk = Buffer.alloc(2 ** 20, ' ')
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  const { send, close } = createHttpClient()
  onTestFinished(close)
  await expect(verifyStore(new Store(), { targets: { plants: url }, send, timeout: 30_000 })).rejects.toThrow(
    `Failed to reach --target-plants: GET ${url}/plants: the reply is larger than 64 MiB.`,
  )
})

test('what was bought is reported', async () => {
  const { report } = await verifyGreenhouse({}, { only: (id) => id === 'payments.settle' })
  expect(report.bought).toEqual([expect.stringMatching(/^1 credit, with the purchase pur_\w+$/)])
  expect(report.left).toEqual([])
  const [bought] = report.bought
  expect(toTableReport(report)).toContain(`Bought, which cannot be undone:\n  ${bought}\n`)
  expect(toVerifyMarkdown(report)).toContain(`## Bought\n\n- ${bought}\n`)
  expect(JSON.parse(toVerifyJson(report)).bought).toEqual([bought])
})

test('a plant that a server makes of a list is taken away by its id', async () => {
  const store = new Store()
  const own = store.read.bind(store)
  store.read = (text) => own(text.startsWith('[') ? text.slice(1, -1) : text)
  const report = await verifyStore(store)
  expect(brokenOf(report)).toEqual(['plants.create.refuses.no-object'])
  expect(report.left).toEqual([])
})
