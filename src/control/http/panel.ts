import type { IncomingMessage, ServerResponse } from 'node:http'

const panelPath = '/__greenhouse/'

export function isPanelRequest(request: IncomingMessage): boolean {
  const { method, url } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  const [path] = url!.split(/[?#]/, 1) as [string]
  return path === panelPath || path.startsWith(`${panelPath}panel/`) || (path === '/__greenhouse' && wantsPage(request))
}

export function leadToPanel(request: IncomingMessage, response: ServerResponse): boolean {
  const { method } = request
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage(request)) return false
  redirectToPanel(response)
  return true
}

/** Redirects a browser to the panel. The reply varies, so caches must not reuse it. */
export function redirectToPanel(response: ServerResponse): void {
  response
    .writeHead(303, { Location: panelPath, Vary: 'Accept', 'Cache-Control': 'no-store', 'Content-Length': 0 })
    .end()
}

/** Whether the client asks for HTML: programs, and `fetch` in a page, accept anything without naming it. */
function wantsPage({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
