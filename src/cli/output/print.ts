import { toVisibleJson, toVisibleLines } from '../../core/text/messages.ts'
import { toJson } from '../../core/http/json.ts'
import type { Terminal } from '../terminal.ts'

/** Prints text that may quote files, requests and replies, without terminal escape sequences. */
export function print({ stdout }: Pick<Terminal, 'stdout'>, text: string): void {
  stdout.write(toVisibleLines(text))
}

export function printError({ stderr }: Pick<Terminal, 'stderr'>, text: string): void {
  stderr.write(toVisibleLines(text))
}

export function printJson({ stdout }: Pick<Terminal, 'stdout'>, value: unknown): void {
  stdout.write(toVisibleJson(toJson(value)) + '\n')
}
