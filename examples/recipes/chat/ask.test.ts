import { test, type WorldApi } from 'greenhouse-mock/vitest'
import { ask, StreamError } from './ask.ts'

/** The messages of a conversation that the default data has. */
const messages = '/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'

/** Sends a message, and adds the words of the answer to a list. */
async function chat({ appsUrl }: WorldApi, words: string[], signal?: AbortSignal) {
  for await (const word of ask(appsUrl + messages, 'key_pro', 'Hi', signal)) words.push(word)
}

test('the words of an answer come one by one', async ({ api, world, expect }) => {
  const words: string[] = []
  await chat(api, words)
  expect(words.length).toBeGreaterThan(5)
  expect(world.records.messages.find({ content: words.join('') })).toHaveLength(1)
})

test('an answer that breaks off is an error, and its words stay', async ({
  api,
  world,
  expect,
}) => {
  const words: string[] = []
  world.use('stream-breaks', { events: 3 })
  await expect(chat(api, words)).rejects.toThrow('The connection broke off.')
  expect(words).toHaveLength(3)
})

test('an error event is told', async ({ api, world, expect }) => {
  world.use('stream-error-event')
  await expect(chat(api, [])).rejects.toThrow(StreamError)
})

test('an answer that stalls can be given up', async ({ api, world, expect }) => {
  const words: string[] = []
  world.use('stream-stalls', { events: 3 })
  await expect(chat(api, words, AbortSignal.timeout(500))).rejects.toThrow('timeout')
  expect(words).toHaveLength(3)
})
