export { createMiddleware } from './adapters/express.ts'
export type { Middleware } from './adapters/express.ts'
