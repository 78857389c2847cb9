import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import { soaks } from '../support/soak.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { createRequire } from 'node:module'
import type { check } from 'recheck'

/**
 * Expressions that were proved linear, and whose proof takes seconds. A text that is not here word
 * for word is proved in every run; these are where the tests run at full size.
 */
const proved: ReadonlySet<string> = new Set([
  String.raw`/\b(?:assert\w*|errors?|failed|failures?|exception|denied|refused)\b/`,
  String.raw`/^(?:error|fatal|panic|assertion failed|thrown|uncaught|curl)\b.*:/i`,
  String.raw`/\b(?:no|0) (?:errors?|fail\w*)\b/i`,
  String.raw`/^(host|connection|content-length|accept-.+|user-agent|keep-alive|transfer-encoding|cache-control|pragma|referer|origin|sec-.+)$/`,
  String.raw`/^(host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|x-greenhouse-.*)$/i`,
  String.raw`/^[^.]*\.(.{1,100})/s`,
])

/**
 * The analyser in plain JavaScript; the package's main file would look for a Java or native one
 * first.
 */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync: (...given: Parameters<typeof check>) => Awaited<ReturnType<typeof check>>
}

/**
 * Returns what the analyser proves of an expression: `safe` or `linear` if its work grows at most
 * linearly with the text; otherwise its growth (`2nd degree polynomial`), or why it cannot tell. It
 * does not test texts, so it needs neither luck nor time.
 */
function prove(pattern: string, flags: string): string {
  const found = checkSync(pattern, flags, {
    checker: 'automaton',
    timeout: null,
    maxRepeatCount: 1_000,
    maxNFASize: 100_000,
    maxPatternSize: 5_000,
  })
  return found.status === 'unknown' ? `unknown: ${found.error.kind}` : found.complexity.summary
}

/** A regular expression in the sources. */
interface Expression {
  /** From the project's root. */
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

/** A place where the sources make an expression of a text: the call as it is written. */
interface MadeExpression {
  readonly file: string
  readonly call: string
}

/** Every regular expression of a source file, found by parsing it. */
function findExpressions(
  file: string,
  text: string,
): { literals: Expression[]; made: MadeExpression[] } {
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
function findAllExpressions() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
  const found = files.map((file) =>
    findExpressions(join('src', file), readFileSync(join('src', file), 'utf8')),
  )
  return {
    literals: found.flatMap(({ literals }) => literals),
    made: found.flatMap(({ made }) => made),
  }
}

/** Expressions that are made of a text, and where that comes from. */
const made: Readonly<Record<string, string>> = {
  "src/scenarios/language/malformation.ts new RegExp(pattern, 'u')":
    'a pattern of our own schemas, which are proved below, held against texts of our own',
}

const { literals, made: makers } = findAllExpressions()

for (const { file, pattern, flags } of unique(literals)) {
  if (proved.has(`/${pattern}/${flags}`) && !soaks) continue
  test(`${file} /${pattern}/${flags} is linear`, () =>
    expect(prove(pattern, flags)).toMatch(/^(safe|linear)$/))
}

test('every expression that was proved is still in the code', () => {
  const written = new Set(literals.map(({ pattern, flags }) => `/${pattern}/${flags}`))
  expect([...proved].filter((expression) => !written.has(expression))).toEqual([])
})

test('no expression is made of a text that somebody sends', () => {
  expect(makers.map(({ file, call }) => `${file} ${call}`)).toEqual(Object.keys(made))
})

test("the patterns of every operation's schemas are linear", () => {
  const patterns = new Set(
    builtInCatalogue.operations.flatMap(({ body, result }) => [
      ...patternsOf(body),
      ...patternsOf(result),
    ]),
  )
  expect(patterns.size).toBeGreaterThan(3)
  expect([...patterns].filter((pattern) => !/^(safe|linear)$/.test(prove(pattern, 'u')))).toEqual(
    [],
  )
})

test('every expression is found wherever it is, and a non-linear one is reported', () => {
  const { literals, made } = findExpressions(
    'x.ts',
    'const a: string = "/no/"\nexport class A { #b = [/a+$/g]; c = (t: string) => t.split(/,/).map((p) => new RegExp(p)) }\nRegExp(a)',
  )
  expect(literals.map(({ pattern, flags }) => [pattern, flags, prove(pattern, flags)])).toEqual([
    ['a+$', 'g', '2nd degree polynomial'],
    [',', '', 'safe'],
  ])
  expect(made.map(({ call }) => call)).toEqual(['new RegExp(p)', 'RegExp(a)'])
  expect(prove('^\\s*charset\\s*=\\s*"?([^"]*?)"?\\s*$', '')).toBe('3rd degree polynomial')
})

function unique<T extends { file: string; pattern: string; flags: string }>(
  expressions: readonly T[],
): T[] {
  return [
    ...new Map(expressions.map((one) => [`${one.file} ${one.pattern} ${one.flags}`, one])).values(),
  ]
}

function patternsOf(schema: unknown): string[] {
  if (!schema) return []
  const found: string[] = []
  z.toJSONSchema(schema as z.ZodMiniType, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.pattern !== undefined) found.push(jsonSchema.pattern)
    },
  })
  return found
}
