import { createServer, type Socket } from 'node:net'
import { openSocket } from '../support/socket.ts'

/** A target that keeps what it gets, and answers each connection's request with these bytes. */
export function answerBytes(reply: string | Buffer | ((socket: Socket) => void)) {
  const got: { bytes: string } = { bytes: '' }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      got.bytes += chunk.toString('latin1')
      text += chunk.toString('latin1')
      if (!isWhole(text)) return
      text = ''
      if (typeof reply === 'function') reply(socket)
      else socket.end(reply)
    })
  })
  return { got, server }
}

function isWhole(text: string): boolean {
  const [head, body] = text.split('\r\n\r\n') as [string, string?]
  if (body === undefined) return false
  if (/^transfer-encoding: chunked/im.test(head)) return /\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/.test(text)
  return body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
}

/** Sends bytes, and gives all that came back until the connection closed. */
export async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = await openSocket(port)
  socket.write(bytes, 'latin1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => socket.on('close', resolve).on('end', resolve))
  socket.destroy()
  return Buffer.concat(chunks).toString('latin1')
}

/**
 * Splits a message: its first line, its headers apart from those of one connection, and its body
 * without chunks.
 */
export function readMessage(bytes: string) {
  const end = bytes.indexOf('\r\n\r\n')
  const [line, ...lines] = bytes.slice(0, end).split('\r\n')
  const headers = lines.filter((one) => !/^(connection|keep-alive|transfer-encoding):/i.test(one))
  const isChunked = lines.some((one) => /^transfer-encoding: chunked/i.test(one))
  const rest = bytes.slice(end + 4)
  return { line, headers, body: isChunked ? unchunk(rest) : rest, isChunked }
}

function unchunk(text: string): string {
  let body = ''
  for (let at = 0; ;) {
    const end = text.indexOf('\r\n', at)
    const size = parseInt(text.slice(at, end), 16)
    if (!size) return body
    body += text.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
