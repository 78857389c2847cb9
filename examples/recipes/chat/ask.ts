export class StreamError extends Error {}

/**
 * Sends a message, and yields the words of the answer as they come.
 * @throws StreamError when the answer does not come to its end.
 */
export async function* ask(
  messagesUrl: string,
  apiKey: string,
  content: string,
  signal?: AbortSignal,
) {
  const reply = await fetch(messagesUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content, stream: true }),
    ...(signal && { signal }),
  })
  if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`)
  try {
    for await (const { event, data } of readEvents(reply.body!)) {
      if (event === 'message.delta') yield data.delta.content as string
      if (event === 'error') throw new StreamError(data.error.message)
      if (event === 'message.completed') return
    }
  } catch (error) {
    if (error instanceof StreamError || signal?.aborted) throw error
    throw new StreamError('The connection broke off.', { cause: error })
  }
  throw new StreamError('The answer has no end.')
}

/** An event ends with an empty line; a chunk of the body may end anywhere. */
async function* readEvents(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)))
      yield { event: fields.event, data: JSON.parse(fields.data) }
    }
  }
}
