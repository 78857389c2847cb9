import { toJson } from '../core/http/json.ts'
import { readEvents } from '../core/http/read-events.ts'
import { after } from '../core/time/clock.ts'
import { parseAnswer } from './data/json.ts'
import { token } from './data/kept.ts'
import type { RouteStore } from './data/router.ts'
import {
  type CallAnswer,
  ConnectionError,
  type EventListener,
  type StreamEnd,
  type Transport,
} from './data/transport.ts'
import { startPanel } from './start.tsx'

const base = '/__greenhouse'

function createHttpTransport(): Transport {
  return { call, events, apiFetch: (path, init) => fetch(path, init) }
}

async function call(method: string, path: string, body?: unknown): Promise<CallAnswer> {
  try {
    const response = await fetch(base + path, {
      method,
      headers: { ...authorization(), ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: toJson(body) }),
    })
    const text = await response.text()
    return { status: response.status, value: text === '' ? undefined : parseAnswer(text) }
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    throw new ConnectionError('The server does not answer. Is it still running?')
  }
}

/** Opens the stream with fetch, because an EventSource cannot send a token. */
function events(world: string, listener: EventListener): () => void {
  const aborter = new AbortController()
  const { signal } = aborter
  void read(world, listener, signal).then(
    (reason) => signal.aborted || listener.onEnd(reason),
    () => signal.aborted || listener.onEnd('lost'),
  )
  return () => aborter.abort()
}

async function read(world: string, listener: EventListener, signal: AbortSignal): Promise<StreamEnd> {
  const { lastId } = listener
  const response = await fetch(`${base}/events?world=${encodeURIComponent(world)}`, {
    headers: { ...authorization(), Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) },
    signal,
  })
  if (response.status === 401 || response.status === 403) return 'needs-token'
  if (response.status === 400) return 'rejected'
  if (response.status === 409) return 'crowded'
  if (!response.ok || !response.body) return 'lost'
  listener.onOpen()
  for await (const events of readEvents(response.body)) {
    if (signal.aborted) break
    for (const event of events) listener.onEvent({ ...event, data: parseAnswer(event.data || 'null') })
  }
  return 'lost'
}

function authorization(): { Authorization?: string } {
  return token.peek() === '' ? {} : { Authorization: `Bearer ${token.peek()}` }
}

const start = () =>
  startPanel(
    {
      root: document,
      element: document.getElementById('panel')!,
      themed: document.documentElement,
      route: createHashRoute(),
      setTitle: (title) => void (document.title = title),
    },
    createHttpTransport(),
  )

// The static frame is painted first; a hidden page is painted later.
if (document.hidden) start()
else requestAnimationFrame(() => after(0, start))

function createHashRoute(): RouteStore {
  return {
    read: () => location.hash,
    write(text, replace) {
      if (replace) history.replaceState(null, '', text)
      else history.pushState(null, '', text)
    },
    watch(listener) {
      addEventListener('hashchange', listener)
      return () => removeEventListener('hashchange', listener)
    },
  }
}
