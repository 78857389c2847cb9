import { startConversation } from '../../conversations/chat.ts'
import type { Client } from '../../support/test-api.ts'

const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }

/** Says something, and gives the stream of its answer as it begins. */
export async function say(
  client: Client,
  signal?: AbortSignal,
  more: Record<string, string> = {},
): Promise<{ response: Response; path: string }> {
  const { path } = await startConversation(client)
  const init = {
    method: 'POST',
    headers: { ...headers, ...more },
    body: '{"content":"Hello","stream":true}',
    ...(signal && { signal }),
  }
  return { response: await client.send(`${path}/messages`, init), path }
}

/** Reads a stream to its end: what came of it, and the error that it ended with, if it did. */
export async function read(response: Response): Promise<{ text: string; error?: unknown }> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  } catch (error) {
    return { text, error }
  }
  return { text }
}
