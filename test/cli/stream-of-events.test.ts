import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '../../src/cli/commands/log/read-events.ts'

async function read(...chunks: (string | Uint8Array)[]): Promise<ServerEvent[]> {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  const all: ServerEvent[] = []
  for await (const events of readEvents(new Blob(bytes as BlobPart[]).stream())) all.push(...events)
  return all
}

test('an event has an id, a type and data; comments and what is not whole are left out', async () => {
  expect(
    await read(
      ': hello\n\nid: a-1\nevent: request\ndata: {"id":1}\n\n',
      'data:one\ndata: two\nretry: 5\n\nid: a-2\n\ndata: never',
    ),
  ).toEqual([
    { id: 'a-1', type: 'request', data: '{"id":1}' },
    { id: undefined, type: 'message', data: 'one\ntwo' },
  ])
  expect(await read('event: request\r\ndata: x\r\n\r\n')).toEqual([{ id: undefined, type: 'request', data: 'x' }])
})

test('it is the same wherever the stream is cut into pieces', async () => {
  const text = 'id: a-1\r\nevent: request\r\ndata: {"name":"Bäumchen 🌱"}\r\n\r\n: \n\ndata: 2\n\n'
  const whole = await read(text)
  const bytes = new TextEncoder().encode(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const places = [0, ...cuts.sort((one, other) => one - other), bytes.length]
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          places.slice(1).forEach((end, place) => controller.enqueue(bytes.slice(places[place], end)))
          controller.close()
        },
      })
      const all: ServerEvent[] = []
      for await (const events of readEvents(stream)) all.push(...events)
      expect(all).toEqual(whole)
    }),
  )
})
