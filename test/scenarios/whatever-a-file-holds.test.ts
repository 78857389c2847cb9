import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, DataError } from 'greenhouse-mock'
import { parseYamlBytes } from '../../src/files/yaml.ts'
import { conditions } from '../../src/scenarios/language/condition.ts'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'

const words = [
  ...effectKinds.map(({ name }) => name),
  ...faultKinds.flatMap(({ kind, fields }) => [kind, ...Object.keys(fields)]),
  ...Object.keys(conditions),
  ...'status error body text headers at field window remaining plan expire collection add values default type __proto__ constructor ${n} ${ plants.* /0'.split(
    ' ',
  ),
]
const word = fc.constantFrom(...words)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.constantFrom(null, true, 0, -1, 1.5, 200, NaN, Infinity, 2n ** 70n),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(word, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

const fields = fc
  .array(fc.tuple(word, value), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as object)
const fault = fc
  .tuple(fc.constantFrom(...faultKinds.map(({ kind }) => kind)), fields)
  .map(([kind, others]) => ({ kind, ...others }))
const effects = fc.oneof(
  fc.dictionary(
    fc.constantFrom(...effectKinds.map(({ name }) => name)),
    fc.oneof(value, fc.array(fields, { maxLength: 2 })),
    { minKeys: 1, maxKeys: 2 },
  ),
  fc.array(fault, { maxLength: 2 }).map((fault) => ({ fault })),
)
const options = fc.oneof(
  fc.constant({}),
  fc.constant({ options: { n: { values: ['x', '1'], default: 'x' } } }),
  value.map((options) => ({ options })),
)

test('any scenario is loaded or refused with its problems', () => {
  let refused = 0
  let loaded = 0
  fc.assert(
    fc.property(effects, options, (effects, options) => {
      const own = { title: 'T', description: 'D', covers: 'C', ...options, ...effects }
      try {
        createGreenhouse({ scenarios: { own } }).world('default').use('own')
        loaded++
      } catch (error) {
        expect(error).toBeInstanceOf(DataError)
        for (const { message } of (error as DataError).problems)
          expect(message).not.toMatch(/^Invalid input$|undefined|\[object/)
        refused++
      }
    }),
    { numRuns: 1_000, seed: 1 },
  )
  expect(refused).toBeGreaterThan(300)
  expect(loaded).toBeGreaterThan(5)
})

test('any bytes of a file give data or problems with places', () => {
  const snippets = [
    [': ', '- ', '\n', '  ', '\t', '&a ', '*a', '[', ']', '{', '}', '"'],
    ["'", '|', '>', '#', '---', '!!x ', '? ', ',', '%', '<<', '\ufeff', 'a', '1'],
  ].flat()
  const snippet = fc.constantFrom(...snippets)
  fc.assert(
    fc.property(
      fc.oneof(
        fc
          .array(snippet, { maxLength: 40 })
          .map((parts) => new TextEncoder().encode(parts.join(''))),
        fc.uint8Array({ maxLength: 60 }),
      ),
      (bytes) => {
        const { problems } = parseYamlBytes('own.yaml', bytes)
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: 500, seed: 1 },
  )
})
