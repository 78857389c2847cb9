import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/api/assembly/catalogue.ts'
import { prove } from './analyser.ts'
import { soaks } from '../support/soak.ts'
import { findAllExpressions, findExpressions } from './expressions.ts'
import { proved } from './proved.ts'

/** Expressions that are made of a text, and where that comes from. */
const made: Readonly<Record<string, string>> = {
  "src/scenarios/language/malformation.ts new RegExp(pattern, 'u')":
    'a pattern of our own schemas, which are proved below, held against texts of our own',
}

const { literals, made: makers } = findAllExpressions()

for (const { file, pattern, flags } of unique(literals)) {
  if (proved.has(`/${pattern}/${flags}`) && !soaks) continue
  test(`${file} /${pattern}/${flags} is linear`, () => expect(prove(pattern, flags)).toMatch(/^(safe|linear)$/))
}

test('what was proved before stands in the code', () => {
  const written = new Set(literals.map(({ pattern, flags }) => `/${pattern}/${flags}`))
  expect([...proved].filter((expression) => !written.has(expression))).toEqual([])
})

test('no expression is made of a text that somebody sends', () => {
  expect(makers.map(({ file, call }) => `${file} ${call}`)).toEqual(Object.keys(made))
})

test("the patterns of every operation's schemas are linear", () => {
  const patterns = new Set(
    catalogue.operations.flatMap(({ body, result }) => [...patternsOf(body), ...patternsOf(result)]),
  )
  expect(patterns.size).toBeGreaterThan(3)
  expect([...patterns].filter((pattern) => !/^(safe|linear)$/.test(prove(pattern, 'u')))).toEqual([])
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

function unique<T extends { file: string; pattern: string; flags: string }>(expressions: readonly T[]): T[] {
  return [...new Map(expressions.map((one) => [`${one.file} ${one.pattern} ${one.flags}`, one])).values()]
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
