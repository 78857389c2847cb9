import type { ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { originOf } from '../../node-http/http-server.ts'
import type { NodeListener } from '../../node-http/listener.ts'
import { controlFetch } from '../answer-call.ts'
import { parseJsonBody } from '../body.ts'
import { ControlApi } from '../client/control-api.ts'
import { ControlError } from '../call.ts'
import { readBodyText } from '../http/answer-request.ts'
import { sendAnswer } from '../http/send.ts'
import { createMcpServer } from './server.ts'

const bodyLimit = 2 ** 20

/** The methods of the transport. Without sessions, the SDK answers GET and DELETE with 405. */
const methods = ['POST', 'GET', 'DELETE']

/**
 * Returns what answers MCP at `/__greenhouse/mcp`: streamable HTTP, without sessions, and without a
 * stream that outlives its reply. The control API lets callers in.
 */
export function createMcpListener(greenhouse: Greenhouse): NodeListener {
  const fetch = controlFetch(greenhouse)
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      createMcpServer({
        api: new ControlApi(new URL(requestInfo!.url).origin, { fetch }),
        world: 'default',
        hideSecrets: greenhouse.service.redact,
      }),
    { maxRequestBodySize: bodyLimit },
  )
  return async (request, response) => {
    const { method = '', url = '' } = request
    if (!methods.includes(method))
      throw new ControlError(
        404,
        'not_found',
        `The control API has no ${method} ${url}. The path takes POST.`,
      )
    const controller = new AbortController()
    response.on('close', () => controller.abort())
    const text = method === 'GET' ? '' : await readBodyText(request, bodyLimit)
    try {
      // The SDK would accept any depth and any number of values.
      parseJsonBody(text)
    } catch (problem) {
      const error = {
        code: -32_700,
        message: (problem as Error).message,
      }
      const answer = {
        jsonrpc: '2.0',
        error,
        id: null,
      }
      return sendFetchResponse(Response.json(answer, { status: 400 }), response)
    }
    const headers = Object.entries(request.headers).filter(
      (one): one is [string, string] => typeof one[1] === 'string',
    )
    const init = {
      method,
      headers,
      signal: controller.signal,
      body: text || null,
    }
    await sendFetchResponse(
      await handler.fetch(new Request(originOf(request) + url, init)),
      response,
    )
  }
}

async function sendFetchResponse(answer: Response, response: ServerResponse) {
  const { status, body } = answer
  const headers = Object.fromEntries(answer.headers)
  if (body && headers['content-type'] === 'text/event-stream')
    return sendAnswer(response, {
      status,
      headers,
      body: body.pipeThrough(new TextDecoderStream()),
    })
  await sendAnswer(response, {
    status,
    headers,
    body: (await answer.text()) || undefined,
  })
}
