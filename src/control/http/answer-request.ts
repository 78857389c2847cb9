import type { IncomingMessage, ServerResponse } from 'node:http'
import { splitTarget } from '../../core/http/request.ts'
import { toJson } from '../../core/http/json.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { hasBody, readBody } from '../../node-http/listener.ts'
import { answerRoute, findRoute } from '../answer-call.ts'
import { invalid, parseJsonBody } from '../body.ts'
import { ControlError } from '../errors.ts'
import { sendChunks } from './send-chunks.ts'
import { sendJson } from './send.ts'
import type { Streams } from './streams.ts'

/** The smallest body limit of a control call, in bytes. If the service has a larger one, that applies here too. */
const bodyLimit = 2 ** 20

const parseYaml = async (file: string, text: string) => (await import('../../files/yaml.ts')).parseYaml(file, text)

/** Answers an allowed call over HTTP. @throws whatever the route throws; nothing was sent then. */
export async function answerRequest(
  greenhouse: Greenhouse,
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, headers } = request as { method: string } & IncomingMessage
  const [target] = request.url!.split('#', 1) as [string]
  const [path, query] = splitTarget(target.slice('/__greenhouse'.length))
  const found = findRoute(method, path)
  const body =
    found.route.method === 'GET' ? undefined : await readJson(request, Math.max(bodyLimit, greenhouse.bodyLimit))
  const origin = `http://${headers.host}`
  const answer = await answerRoute(greenhouse, found, { method, path, query, headers, body, origin, parseYaml })
  if ('stream' in answer) streams.send(response, answer.stream)
  else if ('chunks' in answer) await sendChunks(response, answer.chunks)
  else sendJson(response, answer.status, answer.value === undefined ? undefined : toJson(answer.value))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = hasBody(request) ? await readBody(request, limit) : new Uint8Array()
  if (bytes === 'too-large') throw new ControlError(413, 'payload_too_large', `The body is larger than ${limit} bytes.`)
  return parseJsonBody(decode(bytes))
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}
