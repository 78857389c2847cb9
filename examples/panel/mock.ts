import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { mountPanel } from 'greenhouse-mock/panel'
import { setupWorker } from 'msw/browser'

const greenhouse = createGreenhouse({ seed: 1 })
const bases = { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }

await setupWorker(...createHandlers(greenhouse, bases)).start({ quiet: true })
mountPanel(greenhouse)
