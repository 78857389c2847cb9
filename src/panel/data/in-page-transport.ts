import type { Answer } from '../../control/action.ts'
import type { ControlCall } from '../../control/call.ts'
import { type ClientBases, toClientUrl } from '../../core/http/urls.ts'
import { parseJson, toJson } from '../../core/http/json.ts'
import { splitTarget } from '../../core/http/request.ts'
import { nextTurn } from '../../core/time/system-time.ts'
import { parseAnswer } from './json.ts'
import type { EventListener, Transport } from './transport.ts'

/** The bytes of JSON to serialize at a time; the page draws in between. */
const pieceSize = 262_144

export interface InPageGreenhouse {
  readonly origin: string
  answer(call: ControlCall): Promise<Answer>
  fetch(request: Request): Promise<Response>
  bases(): ClientBases | undefined
}

/** Creates a transport to a Greenhouse in the same page. Copies values as JSON, so that no one shares its records. */
export function createInPageTransport(greenhouse: InPageGreenhouse): Transport {
  const send = (method: string, target: string, body?: unknown, headers: ControlCall['headers'] = {}) => {
    const [path, query] = splitTarget(target)
    const copied = body === undefined ? {} : parseJson(toJson(body))
    const { origin } = greenhouse
    return greenhouse.answer({ method, path, query, headers, body: copied, origin, bases: greenhouse.bases() })
  }
  return {
    async call(method, path, body) {
      const { status, text } = await toText(await send(method, path, body))
      return { status, value: text === '' ? undefined : parseAnswer(text) }
    },
    events(world, listener) {
      let isOpen = true
      let stop = () => {}
      const path = `/events?${new URLSearchParams({ world })}`
      void send('GET', path, undefined, listener.lastId ? { 'last-event-id': listener.lastId } : {}).then((answer) => {
        if (!isOpen) return
        if (!('stream' in answer))
          return listener.onEnd('status' in answer && answer.status === 400 ? 'rejected' : 'lost')
        listener.onOpen()
        stop = answer.stream.subscribe((event) => isOpen && pass(listener, event))
        // It may have been closed by an earlier event.
        if (!isOpen) stop()
      })
      return () => {
        isOpen = false
        stop()
      }
    },
    apiFetch(path, init) {
      const bases = greenhouse.bases()
      // Through the page's own fetch, so that MSW answers it as it answers the page.
      return bases
        ? fetch(toClientUrl(bases)(path), init)
        : greenhouse.fetch(new Request(new URL(path, greenhouse.origin), init))
    },
  }
}

async function toText(answer: Answer): Promise<{ status: number; text: string }> {
  // Only the route of events has a stream, and `events` asks for that.
  if ('stream' in answer) throw new Error('Failed to read an answer as JSON: it is a stream of events.')
  if (!('chunks' in answer))
    return { status: answer.status, text: answer.value === undefined ? '' : toJson(answer.value) }
  const texts: string[] = []
  let size = 0
  for (const [text, work] of answer.chunks) {
    texts.push(text)
    size += Math.max(text.length, work)
    if (size < pieceSize) continue
    size = 0
    await nextTurn()
  }
  return { status: 200, text: texts.join('') }
}

function pass(listener: EventListener, event: { id?: string; type?: string; data: string } | undefined): void {
  if (!event) return listener.onEnd('lost')
  const { id, type = 'message', data } = event
  listener.onEvent({ id, type, data: parseAnswer(data || 'null') })
}
