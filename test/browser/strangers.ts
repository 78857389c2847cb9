import { connect, createServer as createRelay } from 'node:net'
import { listen } from '../support/listen.ts'

/**
 * What a page of another site can do to a server without reading a reply; each resolves when the
 * browser is done.
 */
const attacks = `
const loaded = (element, parent = document.body) => new Promise((done) => { element.onload = element.onerror = done; parent.append(element) })
const element = (name, values) => Object.assign(document.createElement(name), values)
const failing = (promise) => promise.then(() => 'done', () => 'failed')
globalThis.attacks = {
  image: (url) => loaded(element('img', { src: url })),
  script: (url) => loaded(element('script', { src: url })),
  style: (url) => loaded(element('link', { rel: 'stylesheet', href: url })),
  frame: (url) => loaded(element('iframe', { src: url })),
  sandboxedFrame: (url) => loaded(element('iframe', { sandbox: 'allow-scripts', srcdoc: '<script>fetch(' + JSON.stringify(url) + ', { mode: "no-cors" })<\\/script>' })),
  noCors: (url) => failing(fetch(url, { mode: 'no-cors', referrerPolicy: 'no-referrer' })),
  noCorsPost: (url) => failing(fetch(url, { mode: 'no-cors', method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"id":4711,"name":"Weed"}' })),
  cors: (url) => failing(fetch(url)),
  corsWithKey: (url) => failing(fetch(url, { method: 'POST', headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' }, body: '{"id":4711,"name":"Weed"}' })),
  beacon: (url) => navigator.sendBeacon(url, 'x'),
  eventSource: (url) => new Promise((done) => { const source = new EventSource(url); source.onerror = () => { source.close(); done() } }),
  socket: (url) => new Promise((done) => { const socket = new WebSocket(url.replace('http', 'ws')); socket.onclose = done }),
  form: (url) => new Promise((done) => {
    const frame = element('iframe', { name: 'f' + Math.random() })
    document.body.append(frame)
    const form = element('form', { action: url, method: 'POST', target: frame.name, enctype: 'text/plain' })
    form.append(element('input', { name: '{"id":4711,"name":"', value: 'Weed"}' }))
    document.body.append(form)
    frame.onload = done
    form.submit()
  }),
}
`

export async function serveStranger(): Promise<{ port: number; close(): void }> {
  const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script>${attacks}</script>`
  return listen(
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
        .end(html),
  )
}

/** One port that leads to one server and then to another, as a name does whose address changes. */
export async function openRelay(
  first: number,
): Promise<{ port: number; leadTo(port: number): void; close(): void }> {
  let target = first
  const server = createRelay((socket) => {
    const onward = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on('error', () => other.destroy()).pipe(other)
  })
  return { ...(await listen(server)), leadTo: (port) => void (target = port) }
}
