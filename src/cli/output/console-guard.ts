import { formatWithOptions } from 'node:util'
import { printError } from './print.ts'
import type { Terminal } from '../terminal.ts'

const methods = ['error', 'warn'] as const

const guards = new Set<(text: string) => void>()
let original: Pick<Console, (typeof methods)[number]> | undefined

export function guardConsole(terminal: Terminal, redact: (text: string) => string): () => void {
  const guard = (text: string) => printError(terminal, redact(text))
  guards.add(guard)
  if (original === undefined) {
    original = { error: console.error, warn: console.warn }
    for (const name of methods)
      console[name] = (...values: unknown[]) =>
        [...guards].at(-1)!(formatWithOptions({ colors: false }, ...values) + '\n')
  }
  return () => {
    guards.delete(guard)
    if (guards.size > 0 || original === undefined) return
    Object.assign(console, original)
    original = undefined
  }
}
