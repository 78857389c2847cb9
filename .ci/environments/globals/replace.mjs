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

/** Copies those globals that the window has into the global object. */
export function replace(window) {
  for (const name of names)
    if (window[name] !== undefined)
      Object.defineProperty(globalThis, name, {
        value: name === 'fetch' ? window.fetch.bind(window) : window[name],
        configurable: true,
        writable: true,
      })
}
