import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'

export const bases = { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }

// The clock stands still, so that a story looks the same tomorrow.
const greenhouse = createGreenhouse({ seed: 1, now: '2026-01-31T18:00:00Z', frozen: true })

/**
 * A request without a world would get the state of any story. It gets an error instead, which the
 * story shows.
 */
const refuseWorldless = Object.values(bases).map((base) =>
  http.all(`${base}/*`, ({ request }) => {
    const key = request.headers.get('authorization') ?? ''
    if (
      request.headers.has('x-greenhouse-world') ||
      key.includes('@') ||
      request.url.includes('/~')
    )
      return undefined
    const message = `${request.method} ${request.url} names no world. Give the client the key of its story: loaded.world.key('key_pro').`
    console.error(message)
    return HttpResponse.json({ code: 500, message }, { status: 500 })
  }),
)

const worker = setupWorker(...refuseWorldless, ...createHandlers(greenhouse, bases))

// `onUnhandledRequest` is of msw 2, `onUnhandledFrame` of msw 3.
const passing = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }

export const startWorker = () => worker.start({ quiet: true, ...passing })

const names = new Map()

/**
 * A world's name for a story. Ids may be longer than names, and two of them may begin and end
 * alike: each has a number.
 */
function nameWorld(id) {
  if (!names.has(id))
    names.set(id, `${names.size + 1}-${id.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-56)}`)
  return names.get(id)
}

/**
 * Gives a story a world of its own, as new, with the scenarios of `parameters: { greenhouse:
 * ['expired-key'] }`.
 */
export function loadWorld({ id, parameters }) {
  const world = greenhouse.world(nameWorld(id))
  world.reset()
  world.pinned = true
  for (const scenario of parameters.greenhouse ?? []) world.use(scenario)
  return { world }
}
