import { dev } from '$app/environment'

if (dev) (await import('./mock')).start()
