import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'

// An edit may load this file again: the first Greenhouse stays, with its data.
const kept = globalThis as { greenhouse?: Greenhouse }

export function start() {
  if (kept.greenhouse) return
  kept.greenhouse = createGreenhouse({ seed: 1 })
  const bases = { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }
  setupServer(...createHandlers(kept.greenhouse, bases)).listen()
}
