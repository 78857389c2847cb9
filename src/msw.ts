export { createHandlers } from './adapters/msw.ts'
// The declaration of exported handlers names it, in a project that does not depend on msw itself.
export type { HttpHandler } from './adapters/msw.ts'
export type { BaseUrls } from './adapters/base-urls.ts'
