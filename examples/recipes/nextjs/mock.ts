import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'

export const greenhouse = createGreenhouse({ seed: 1 })

const server = setupServer(
  ...createHandlers(greenhouse, { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }),
)

export function start() {
  server.listen()
}

export function stop() {
  server.close()
}
