import type { OutputStream } from '../terminal.ts'

/** The output of a command that keeps printing. */
export interface Output {
  /** Prints, and resolves when there is room for more; at once when nobody reads any more. */
  write(text: string): Promise<void>
}

/** Prints to a stream no faster than it is read. @param onClosed nobody reads any more */
export function createOutput(stream: OutputStream, onClosed: () => void): Output {
  let isClosed = false
  let proceed = () => {}
  const close = () => {
    isClosed = true
    proceed()
    onClosed()
  }
  stream.on('close', close)
  stream.on('drain', () => proceed())
  return {
    async write(text) {
      if (isClosed || text === '' || stream.write(text)) return
      await new Promise<void>((resolve) => (proceed = resolve))
    },
  }
}
