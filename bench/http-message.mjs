import { connect } from 'node:net'

/** A request's bytes, as text. */
export function toRequest(method, path, { headers = {}, body = '' } = {}) {
  const all = { Host: '127.0.0.1', Accept: 'application/json', ...headers }
  if (body)
    Object.assign(all, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Whether `buffer` holds a whole reply. Nothing is pipelined, so at most one is in it. */
export function isWholeReply(buffer) {
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = buffer.latin1Slice(0, end).toLowerCase()
  const at = head.indexOf('\r\ncontent-length:')
  if (at >= 0) return buffer.length >= end + 4 + Number.parseInt(head.slice(at + 17), 10)
  if (head.includes('\r\ntransfer-encoding: chunked'))
    return buffer.latin1Slice(buffer.length - 7).endsWith('\r\n0\r\n\r\n')
  throw new Error(`A reply has neither a length nor chunks:\n${head}`)
}

/** Status of a reply. */
export const statusOf = (buffer) => Number.parseInt(buffer.latin1Slice(9, 12), 10)

/**
 * Sends one request to 127.0.0.1 and gives the reply: `status`, `headers` as pairs, `body` as text.
 */
export function exchange(port, request) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
    const fail = (error) => {
      socket.destroy()
      reject(error)
    }
    socket.setNoDelay(true)
    socket.setTimeout(10_000, () => fail(new Error(`No reply on port ${port} within 10 s`)))
    socket.on('error', fail)
    socket.on('close', () =>
      reject(new Error(`Port ${port} closed the connection before its reply was complete`)),
    )
    socket.on('data', (chunk) => {
      received = received.length ? Buffer.concat([received, chunk]) : chunk
      try {
        if (!isWholeReply(received)) return
      } catch (error) {
        return fail(error)
      }
      resolve(toReply(received))
      socket.destroy()
    })
  })
}

function toReply(buffer) {
  const end = buffer.indexOf('\r\n\r\n')
  const [, ...lines] = buffer.latin1Slice(0, end).split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  const chunked = headers.some(
    ([name, value]) => name.toLowerCase() === 'transfer-encoding' && value === 'chunked',
  )
  const body = buffer.subarray(end + 4)
  return { status: statusOf(buffer), headers, body: (chunked ? joinChunks(body) : body).toString() }
}

function joinChunks(body) {
  const chunks = []
  for (let at = 0; ;) {
    const start = body.indexOf('\r\n', at) + 2
    const size = Number.parseInt(body.latin1Slice(at, start), 16)
    if (!size) return Buffer.concat(chunks)
    chunks.push(body.subarray(start, start + size))
    at = start + size + 2
  }
}
