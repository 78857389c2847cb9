import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'

export const greenhouse = createGreenhouse({ seed: 1 })

const server = setupServer(
  ...createHandlers(greenhouse, {
    plants: 'https://plants.example.com',
    apps: 'https://api.example.com/v1',
  }),
)
let isMocking = false

export function start() {
  const real = globalThis.fetch
  server.listen()
  isMocking = true
  const mocked = globalThis.fetch
  let current = mocked
  // `next dev` puts back the real fetch after each edit.
  Object.defineProperty(globalThis, 'fetch', {
    configurable: true,
    get: () => current,
    set: (next) => {
      current = isMocking && next === real ? mocked : next
    },
  })
}

export function stop() {
  isMocking = false
  server.close()
}
