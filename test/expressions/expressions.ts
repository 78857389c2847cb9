import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** A regular expression in the sources. */
export interface Expression {
  /** From the project's root. */
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

/** A place where the sources make an expression of a text: the call as it is written. */
export interface MadeExpression {
  readonly file: string
  readonly call: string
}

/** Every regular expression of a source file, found by parsing it. */
export function findExpressions(file: string, text: string): { literals: Expression[]; made: MadeExpression[] } {
  const literals: Expression[] = []
  const made: MadeExpression[] = []
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file))
  return { literals, made }

  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee, start, end } = node as {
      type?: string
      regex?: { pattern: string; flags: string }
      callee?: { name?: string; property?: { name?: string } }
      start: number
      end: number
    }
    if (type === 'Literal' && regex) literals.push({ file, ...regex })
    if (callee?.name === 'RegExp' || callee?.property?.name === 'RegExp')
      made.push({ file, call: text.slice(start, end) })
    for (const part of Object.values(node)) visit(part)
  }
}

/** Finds the expressions of every file below `src`. */
export function findAllExpressions() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
  const found = files.map((file) => findExpressions(join('src', file), readFileSync(join('src', file), 'utf8')))
  return { literals: found.flatMap(({ literals }) => literals), made: found.flatMap(({ made }) => made) }
}
