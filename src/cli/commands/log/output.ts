import type { OutputStream } from '../../terminal.ts'

export type Print = (text: string) => Promise<void>

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
