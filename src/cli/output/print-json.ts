import { toVisibleJson } from '../../core/definitions/visible.ts'
import { toJson } from '../../core/http/json.ts'
import type { Terminal } from '../terminal.ts'

/** Prints a value as one line of JSON, with exact 64-bit integers, without characters that a terminal acts on. */
export function printJson({ stdout }: Pick<Terminal, 'stdout'>, value: unknown): void {
  stdout.write(toVisibleJson(toJson(value)) + '\n')
}
