import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupWorker } from 'msw/browser'

const handlers = createHandlers(createGreenhouse(), { plants: 'http://plants.test', apps: 'http://apps.test/v1' })
await setupWorker(...handlers).start({ quiet: true, onUnhandledRequest: 'bypass' })
document.title = 'ready'
