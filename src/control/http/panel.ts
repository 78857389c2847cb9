import type { IncomingMessage, ServerResponse } from 'node:http'

/** Where the panel is. */
const panelPath = '/__greenhouse/'

/** Whether a request is for the panel: its page, its files, or `/__greenhouse` as a browser opens it. */
export function isPanelRequest(request: IncomingMessage): boolean {
  const { method, url } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path] = url!.split(/[?#]/, 1) as [string]
  return path === panelPath || path.startsWith(`${panelPath}panel/`) || (path === '/__greenhouse' && wantsPage(request))
}

/** Sends a browser that opens `/` to the panel; tells whether it did. Anything else gets what the service answers. */
export function leadToPanel(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage(request)) return false
  redirectToPanel(response)
  return true
}

/** Sends a browser to the panel. What else may be asked for at the same place is no matter to a cache. */
export function redirectToPanel(response: ServerResponse): void {
  response
    .writeHead(303, { Location: panelPath, Vary: 'Accept', 'Cache-Control': 'no-store', 'Content-Length': 0 })
    .end()
}

/** Whether it names HTML: programs, and `fetch` in a page, take anything and name nothing. */
function wantsPage({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
