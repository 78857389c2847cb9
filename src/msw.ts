export { createHandlers } from './adapters/msw.ts'
export type { BaseUrls } from './adapters/base-urls.ts'
