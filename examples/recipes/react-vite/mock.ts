import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { mountPanel } from 'greenhouse-mock/panel'
import { setupWorker } from 'msw/browser'
import { plantsUrl } from './plants.ts'

const greenhouse = createGreenhouse({ seed: 1 })
const worker = setupWorker(...createHandlers(greenhouse, { plants: plantsUrl }))

await worker.start({ onUnhandledRequest: 'bypass' })
mountPanel(greenhouse)
