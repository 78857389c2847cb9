import { writeFileSync } from 'node:fs'

/**
 * Makes stdout or stderr that is a file write all of a text or fail. By itself Node takes a text for written of which a disk that
 * ran full, or a limit of the file's size, took only the beginning.
 */
export function writeWhole<Stream extends NodeJS.WriteStream & { fd: number }>(stream: Stream): Stream {
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
