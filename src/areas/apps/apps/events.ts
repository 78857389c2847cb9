import { sampleOfApp } from '../app-event-sample.ts'
import { presentApp } from './present.ts'

/** The data of `app.created`, `app.updated` and `app.deleted`: the app. */
export const toAppEvent = presentApp

const sample = /* @__PURE__ */ sampleOfApp({
  ofNewest: (_, app) => toAppEvent(app),
  fromGenerated: (_, app) => toAppEvent(app),
})

export const appEvents = { 'app.created': sample, 'app.updated': sample, 'app.deleted': sample }
