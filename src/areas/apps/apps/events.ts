import { sampleOfApp } from '../app-event-sample.ts'
import { presentApp } from './present.ts'

const sample = /* @__PURE__ */ sampleOfApp({
  ofNewest: (_, app) => presentApp(app),
  fromGenerated: (_, app) => presentApp(app),
})

export const appEvents = { 'app.created': sample, 'app.updated': sample, 'app.deleted': sample }
