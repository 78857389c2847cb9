import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { toPlants } from './plants.cjs'
import { sendThree } from './send-three.cjs'

let plants = toPlants()
const server = setupServer(
  http.get('http://plants.test/plants', () => HttpResponse.json(plants)),
  http.post('http://plants.test/plants', async ({ request }) => {
    const plant = await request.json()
    plants.push(plant)
    return HttpResponse.json(plant)
  }),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => void (plants = toPlants()))
afterAll(() => server.close())

for (let number = 1; number <= 20; number++)
  test(`test ${number}`, () => sendThree('http://plants.test'))
