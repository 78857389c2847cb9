import type { OutputStream } from '../../terminal.ts'

/** Prints text, and resolves when there is room for more; immediately if the output is closed. */
export type Print = (text: string) => Promise<void>

/** Creates a function that prints to a stream with backpressure. @param onClosed called when the reader is gone. */
export function createPrint(stream: OutputStream, onClosed: () => void): Print {
  let isClosed = false
  let proceed = () => {}
  const close = () => {
    isClosed = true
    proceed()
    onClosed()
  }
  stream.on('close', close)
  stream.on('drain', () => proceed())
  return async (text) => {
    if (isClosed || text === '' || stream.write(text)) return
    await new Promise<void>((resolve) => (proceed = resolve))
  }
}
