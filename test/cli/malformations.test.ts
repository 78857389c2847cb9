import { expect, test } from 'vitest'
import { malformations } from 'greenhouse-mock'
import { run } from '../support/cli.ts'

test('scenario list --malformations lists the malformations of every operation and their total', async () => {
  const { code, stdout } = await run(['scenario', 'list', '--malformations'])
  expect(code).toBe(0)
  const [table = '', total] = stdout.trimEnd().split('\n\n')
  const all = malformations()
  const rows = table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/))
  expect(rows).toEqual(
    all.map(({ options: { on, at, kind }, breaks }) => [on, at === '' ? '""' : at, kind, breaks ? 'yes' : 'no']),
  )
  expect(total).toBe(
    `${all.length} malformations, ${all.filter(({ breaks }) => breaks).length} of them break the schema.`,
  )
})
