import { expect, test } from 'vitest'
import { startCommand } from '../../test/support/process.ts'
import { startJsonServer } from './programs.ts'

/**
 * The rules that json-server breaks: it authorizes every client, accepts any body, and answers with
 * what it stores.
 */
const broken = [
  'plants.create.auth',
  'plants.create.int64',
  'plants.create.refuses.empty',
  'plants.create.refuses.id-fraction',
  'plants.create.refuses.id-range',
  'plants.create.refuses.id-text',
  'plants.create.refuses.name-null',
  'plants.create.refuses.name-type',
  'plants.create.refuses.no-id',
  'plants.create.refuses.no-name',
  'plants.create.refuses.no-object',
  'plants.create.refuses.tag-type',
  'plants.create.status',
  'plants.delete.auth',
  'plants.delete.no-body',
  'plants.delete.own',
  'plants.errors.body',
  'plants.json',
  'plants.list.auth.invalid',
  'plants.list.auth.missing',
  'plants.list.auth.scheme',
  'plants.list.own',
]

const gaps = {
  'plants.list.limit-name': 'unknown',
  'plants.list.limit-default': 'all',
  'plants.list.order': 'created',
  'plants.create.unknown-fields': 'keep',
  'plants.body.includes-id': 'yes',
  'plants.delete.status': '200',
  'plants.delete.unknown': '404',
  'plants.delete.invalid-id': '404',
  'plants.rate-limits': 'off',
}

test('verify finds the rules that json-server breaks, which stores plants without their rules, and what it does in gaps', async () => {
  const url = await startJsonServer({ plants: [] })
  const flags = [
    '--key',
    'any',
    '--other-key',
    'other',
    '--allow-writes',
    '--rate',
    '1000',
    '--report',
    'json',
  ]
  const { code, stdout } = await startCommand(['verify', '--target-plants', url, ...flags]).ended
  expect(code, stdout).toBe(1)
  const report = JSON.parse(stdout) as Report
  const found = report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)
  expect(found.sort()).toEqual(broken)
  const seen = Object.fromEntries(
    report.gaps.map(({ id, outcome, value }) => [id, value ?? outcome]),
  )
  expect(seen).toMatchObject(gaps)
})

interface Report {
  readonly rules: readonly { readonly id: string; readonly outcome: string }[]
  readonly gaps: readonly {
    readonly id: string
    readonly outcome: string
    readonly value?: string
  }[]
}
