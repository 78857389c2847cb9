import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { validationRules } from '../../src/core/pipeline/validate/index.ts'
import { violationRules } from '../../src/core/journal/violation.ts'
import { toTable } from './table.ts'

test('docs/judging.md lists every rule, and what breaks it', () => {
  const table = toTable(
    ['rule', 'what breaks it'],
    validationRules.map(({ id, finds }) => [`\`${id}\``, finds]),
  )
  expect(readFileSync(new URL('../../docs/judging.md', import.meta.url), 'utf8')).toContain(table)
})

test('there is one rule of each name', () => {
  expect(validationRules.map(({ id }) => id)).toEqual(violationRules)
})
