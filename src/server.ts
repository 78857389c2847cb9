export { serve } from './adapters/server.ts'
export type { ServeOptions, RunningServer } from './adapters/server.ts'
