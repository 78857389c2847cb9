import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The application of the documented tests: it requests plants, or at `/apps` apps, and shows the
 * status.
 */
const html = `<!doctype html><html lang="en"><link rel="icon" href="data:," /><p role="status"></p><script type="module">
const service = new URLSearchParams(location.search).get('service') ?? 'https://plants.example.com'
const [name, url] = location.pathname === '/apps' ? ['Apps', 'https://api.example.com/v1/apps'] : ['Plants', service + '/plants']
const reply = await fetch(url, { headers: { authorization: 'Bearer key_lite' } })
document.querySelector('[role=status]').textContent = name + ': ' + reply.status
</script></html>`

const server = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(html),
)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()

export const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
