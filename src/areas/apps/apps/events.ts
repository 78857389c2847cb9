import { sampleOfApp } from '../app-event-sample.ts'
import { presentApp } from './present.ts'

/** The data of `app.created`, `app.updated` and `app.deleted` is the app. */
const sample = /* @__PURE__ */ sampleOfApp({
  ofNewest: (_, app) => presentApp(app),
  fromGenerated: (_, app) => presentApp(app),
})

export const appEvents = { 'app.created': sample, 'app.updated': sample, 'app.deleted': sample }
