import { writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'

/**
 * Keeps stdout for messages: whatever else prints there, such as a library of a handler, prints to
 * stderr.
 */
export function takeStdout({ stdout, stderr }: NodeJS.Process) {
  const { isTTY, columns } = stdout
  const write = withSafeWrites(stdout).write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  const messages = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => void write(chunk, done),
  })
  stdout.on('error', (error) => messages.destroy(error))
  return Object.assign(messages, { isTTY, columns })
}

type NodeOutput = NodeJS.WriteStream & {
  fd: number
  _type?: string
  _handle?: { setBlocking(isBlocking: boolean): void }
}

export function withSafeWrites(stream: NodeOutput): NodeOutput {
  if (stream._type === 'fs') writeWhole(stream)
  if (stream._type === 'pipe' && process.platform === 'win32') writeLater(stream)
  return stream
}

/** Node reports success when a full disk took only the beginning of what was written to a file. */
function writeWhole(stream: NodeOutput) {
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
}

/**
 * On Windows, a full pipe whose reader is slow would stop the process: Node replaces the methods of
 * a stream by its own, which write at once. They are deleted, and the usual ones are back.
 */
function writeLater(stream: NodeOutput) {
  for (const method of ['_write', '_writev']) Reflect.deleteProperty(stream, method)
  stream._handle?.setBlocking(false)
}
