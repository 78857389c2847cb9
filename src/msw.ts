export { createHandlers } from './adapters/msw.ts'
export type { BaseUrls } from './adapters/msw.ts'
