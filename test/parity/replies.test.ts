import { expect, test } from 'vitest'
import { adapters, type Adapter } from '../support/adapters.ts'
import { history } from './history.ts'
import { ask, keptBy, openAlike } from './transcript.ts'

test('every adapter gives and records the same status, headers and bytes for the same history', async () => {
  const [core, ...others] = adapters
  const expected = await transcribe(core!)
  expect(expected.replies).toHaveLength(history.length)
  for (const adapter of others) {
    const { replies, kept } = await transcribe(adapter)
    for (const [line, reply] of replies.entries())
      expect(reply, `${adapter.name}: ${JSON.stringify(history[line])}`).toEqual(expected.replies[line])
    for (const [line, entry] of kept.entries()) expect(entry, adapter.name).toEqual(expected.kept[line])
    expect(kept).toHaveLength(expected.kept.length)
  }
})

async function transcribe(adapter: Adapter) {
  // Named, since over a socket the pages of an origin that is not are turned away; within a process no origin is.
  const { greenhouse, send, close } = await openAlike(adapter, { cors: ['https://elsewhere.example'] })
  const replies = []
  for (const asked of history) replies.push(await ask(send, asked))
  const kept = await keptBy(greenhouse)
  await close()
  return { replies, kept }
}
