import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'
import { bases, createStillGreenhouse, record } from './transcript.ts'

declare global {
  var recordInPage: () => ReturnType<typeof record>
  var breakStreamInPage: () => Promise<string>
}

globalThis.recordInPage = async () => {
  const worker = setupWorker(...createHandlers(createStillGreenhouse(), bases))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return record((request) => fetch(request))
}

const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** Returns how the stream ended. MSW logs replies, as by default. */
globalThis.breakStreamInPage = async () => {
  const greenhouse = createGreenhouse()
  const worker = setupWorker(...createHandlers(greenhouse, bases))
  await worker.start({ onUnhandledRequest: 'bypass' })
  const post = (path: string, body: object) =>
    fetch(bases.apps + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const app = await (await post('/apps', { name: 'fern' })).json()
  const conversation = await (await post(`/apps/${app.id}/conversations`, {})).json()
  greenhouse.world().use('stream-breaks')
  const reply = await post(`/apps/${app.id}/conversations/${conversation.id}/messages`, {
    content: 'Hi',
    stream: true,
  })
  const ended = await reply.text().then(
    () => 'whole',
    (error: Error) => error.name,
  )
  // The log comes late.
  await new Promise((resolve) => setTimeout(resolve, 200))
  return `${reply.status} ${ended}`
}
