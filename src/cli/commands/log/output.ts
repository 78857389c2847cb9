import type { OutputStream } from '../../terminal.ts'

/** The output of a command that keeps printing. */
export interface Output {
  /** Prints, and resolves when there is room for more; immediately if the output is closed. */
  write(text: string): Promise<void>
}

/** Prints to a stream with backpressure. @param onClosed called when the reader is gone. */
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
