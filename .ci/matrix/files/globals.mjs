// Replaces Node's globals with those of jsdom or happy-dom, like its global registrator. jsdom has
// no fetch, Request and Response.
const url = 'http://localhost:3000/'
const windows = {
  jsdom: async () => new (await import('jsdom')).JSDOM('', { url }).window,
  'happy-dom': async () => new (await import('happy-dom')).Window({ url }),
}
const names = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'Event',
  'EventTarget',
  'FormData',
  'Headers',
  'MessageEvent',
  'Request',
  'Response',
  'XMLHttpRequest',
  'document',
  'fetch',
  'location',
]

const window = await windows[process.env.WINDOW]()
for (const name of names)
  if (window[name] !== undefined)
    Object.defineProperty(globalThis, name, {
      value: name === 'fetch' ? window.fetch.bind(window) : window[name],
      configurable: true,
      writable: true,
    })
