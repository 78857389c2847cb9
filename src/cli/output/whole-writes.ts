import { writeFileSync } from 'node:fs'

/**
 * Makes stdout or stderr, if it is a file, write strings completely or fail. Node itself reports success when a full disk or a
 * file-size limit took only the beginning.
 */
export function withCompleteWrites<Stream extends NodeJS.WriteStream & { fd: number }>(stream: Stream): Stream {
  if ((stream as { _type?: string })._type !== 'fs') return stream
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(stream.fd, chunk)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
  return stream
}
