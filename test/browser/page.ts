import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'
import { bases, createStillGreenhouse, record } from './transcript.ts'

declare global {
  var recordInPage: () => ReturnType<typeof record>
}

globalThis.recordInPage = async () => {
  const worker = setupWorker(...createHandlers(createStillGreenhouse(), bases))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return record((request) => fetch(request))
}
