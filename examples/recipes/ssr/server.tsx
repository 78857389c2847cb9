import { createServer } from 'node:http'
import { renderToString } from 'react-dom/server'

/** A page that is rendered on the server, from the plants of the API. */
export function createApp({ plantsUrl, key }: { plantsUrl: string; key: string }) {
  return createServer(async (_request, response) => {
    const reply = await fetch(`${plantsUrl}/plants`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const plants = reply.ok ? ((await reply.json()) as { name: string }[]) : []
    response.statusCode = reply.ok ? 200 : 503
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(
      renderToString(
        <main>
          {reply.ok ? (
            plants.map(({ name }, place) => <p key={place}>{name}</p>)
          ) : (
            <p>Please come back later.</p>
          )}
        </main>,
      ),
    )
  })
}
