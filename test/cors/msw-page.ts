import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'

document.title = 'starting'
const handlers = createHandlers(createGreenhouse(), { apps: 'http://apps.test/v1' })
await setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass' })
document.title = 'started'
