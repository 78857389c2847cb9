import { defineMiddleware } from 'astro:middleware'

if (import.meta.env.DEV) (await import('./mock')).start()

export const onRequest = defineMiddleware((_context, next) => next())
