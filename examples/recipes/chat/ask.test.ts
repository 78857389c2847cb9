import { test as base } from 'greenhouse-mock/vitest'
import { ask, StreamError } from './ask.ts'

/** The messages of a conversation that the default data has. */
const messages = '/apps/app_ei7hiu7oakwdf7nn/conversations/conv_b5balhth5ea67ksu/messages'

const test = base.extend<{ words: string[]; chat: (signal?: AbortSignal) => Promise<void> }>({
  words: ({}, use) => use([]),
  chat: ({ api, words }, use) =>
    use(async (signal) => {
      for await (const word of ask(api.appsUrl + messages, 'key_pro', 'Hi', signal)) words.push(word)
    }),
})

test('the words of an answer come one by one', async ({ chat, words, world, expect }) => {
  await chat()
  expect(words.length).toBeGreaterThan(5)
  expect(world.records.messages.find({ content: words.join('') })).toHaveLength(1)
})

test('an answer that breaks off is an error, and its words stay', async ({ chat, words, world, expect }) => {
  world.use('stream-breaks', { events: 3 })
  await expect(chat()).rejects.toThrow('The connection broke off.')
  expect(words).toHaveLength(3)
})

test('an error event is told', async ({ chat, world, expect }) => {
  world.use('stream-error-event')
  await expect(chat()).rejects.toThrow(StreamError)
})

test('an answer that stalls can be given up', async ({ chat, words, world, expect }) => {
  world.use('stream-stalls', { events: 3 })
  await expect(chat(AbortSignal.timeout(500))).rejects.toThrow('timeout')
  expect(words).toHaveLength(3)
})
