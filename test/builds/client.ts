import { connect, type Socket } from 'node:net'

/**
 * A request as it is written to the wire. What it lacks it is sent without, apart from Host and
 * Content-Length.
 */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
}

/**
 * A reply: the status line and headers in order, the bytes, one character each, and how it ended.
 */
export interface Got {
  readonly head: string
  readonly body: string
  readonly end: 'whole' | 'cut'
}

/**
 * What differs from second to second, and the name of a change, which contains that of its server.
 */
const ofTheMoment = /^date: .*\r\n|(?<=^x-greenhouse-undo: ).*/gim

/**
 * Sends requests one after the other on a connection that stays open, without a library that would
 * mend or hide something. Chunks are put together: where they part depends on the sockets.
 */
export class Client {
  readonly #port: number
  #socket: Socket | undefined
  #received = Buffer.alloc(0)
  #wake = () => {}
  #isClosed = false

  constructor(port: number) {
    this.#port = port
  }

  async send({ method, target, headers = [], body }: Asked): Promise<Got> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const lines = [
      `${method} ${target} HTTP/1.1`,
      // The same for all builds, which have different ports: the journal shows it.
      'Host: localhost',
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(bytes ? [`Content-Length: ${bytes.length}`] : []),
    ]
    await this.#open()
    this.#socket!.write(
      Buffer.concat([
        Buffer.from(lines.join('\r\n') + '\r\n\r\n', 'latin1'),
        ...(bytes ? [bytes] : []),
      ]),
    )
    const got = await this.#read(method)
    if (got.end === 'cut' || /^connection: close\r$/im.test(got.head)) this.close()
    return { ...got, head: got.head.replace(ofTheMoment, '') }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #open(): Promise<void> {
    if (this.#socket && !this.#isClosed) return
    this.#received = Buffer.alloc(0)
    this.#isClosed = false
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    this.#socket = socket
    const tell = () => {
      if (this.#socket !== socket) return
      this.#isClosed = true
      this.#wake()
    }
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', tell).on('end', tell).on('close', tell)
    await new Promise<void>((resolve, reject) =>
      socket.once('connect', resolve).once('error', reject),
    )
  }

  async #read(method: string): Promise<Got> {
    if (!(await this.#until(() => this.#received.includes('\r\n\r\n'))))
      return this.#take('', this.#received, 'cut')
    const split = this.#received.indexOf('\r\n\r\n') + 2
    const head = this.#received.toString('latin1', 0, split)
    const rest = () => this.#received.subarray(split + 2)
    if (method === 'HEAD' || /^\S+ (1..|204|304) /.test(head))
      return this.#take(head, Buffer.alloc(0), 'whole', split + 2)
    if (/^transfer-encoding: chunked\r$/im.test(head)) {
      const isWhole = await this.#until(() => this.#received.subarray(-5).equals(lastChunk))
      return this.#take(head, joinChunks(rest()), isWhole ? 'whole' : 'cut')
    }
    const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? Infinity)
    const isWhole = await this.#until(() => rest().length >= length)
    return this.#take(head, rest(), isWhole || length === Infinity ? 'whole' : 'cut')
  }

  #take(head: string, body: Buffer, end: Got['end'], used = this.#received.length): Got {
    const got = { head, body: body.toString('latin1'), end }
    this.#received = this.#received.subarray(used)
    return got
  }

  /** Waits until something has come; `false` when the connection ended before. */
  async #until(hasCome: () => boolean): Promise<boolean> {
    while (!hasCome()) {
      if (this.#isClosed) return false
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return true
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (end < 0 || !(size > 0)) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}
