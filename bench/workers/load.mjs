import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { isWholeReply, statusOf } from '../http-message.mjs'
import { answerCalls } from './calls.mjs'

const longest = 10_000
const most = 2_000_000

answerCalls({ run })

/**
 * Keeps `connections` to 127.0.0.1 busy with one request each for some time. Either `requests` go
 * round in turn from number `first`, or `parts` are joined by a number that goes up from `first`.
 */
async function run({ port, connections, milliseconds, requests, parts, first }) {
  const state = { next: first, first, sent: 0, replies: 0, failures: 0, failed: '', over: false }
  const toRequest = requests
    ? (number) => requests[number % requests.length]
    : (number) => parts.join(String(number))
  const lines = Array.from({ length: connections }, () => openLine(port, state, toRequest))
  await Promise.all(lines.map((line) => line.open))

  const cpu = process.cpuUsage()
  const began = performance.now()
  for (const line of lines) line.send()
  await new Promise((resolve) => {
    setTimeout(resolve, Math.min(milliseconds, longest))
    state.stop = resolve
  })
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const { replies } = state
  state.over = true

  await Promise.race([
    Promise.all(lines.map((line) => line.closed)),
    new Promise((resolve) => setTimeout(resolve, 3_000)),
  ])
  for (const line of lines) line.socket.destroy()
  return {
    perSecond: replies / seconds,
    replies,
    busy: (user + system) / 1e6 / seconds,
    next: state.next,
    failures: state.failures,
    failed: state.failed,
  }
}

function openLine(port, state, toRequest) {
  let part = Buffer.alloc(0)
  const receive = (size, buffer) => {
    const chunk = buffer.subarray(0, size)
    const reply = part.length ? Buffer.concat([part, chunk]) : chunk
    try {
      if (!isWholeReply(reply)) {
        part = Buffer.from(reply)
        return true
      }
    } catch (error) {
      fail(state, error.message)
      return socket.destroy()
    }
    if (statusOf(reply) !== 200) fail(state, reply.toString('latin1', 0, 1_000))
    part = Buffer.alloc(0)
    state.replies++
    if (state.over || state.sent >= most) socket.end()
    else send()
    return true
  }
  const send = () => {
    state.sent++
    socket.write(toRequest(state.next++), 'latin1')
  }
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.alloc(65_536), callback: receive },
  })
  const open = new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.on('error', (error) => {
      if (!state.over) fail(state, error.message)
      reject(error)
    })
  })
  const closed = new Promise((resolve) =>
    socket.once('close', () => {
      if (!state.over && state.sent < most) fail(state, 'The server closed a connection')
      resolve()
    }),
  )
  return { socket, open, closed, send }
}

function fail(state, message) {
  state.failures++
  state.failed ||= message
  // What a server sends after a wrong reply is worth nothing: nobody waits for it.
  state.stop?.()
}
