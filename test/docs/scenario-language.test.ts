import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { loadScenarios } from '../../src/node.ts'
import { conditions } from '../../src/scenarios/condition.ts'
import { faultKinds } from '../../src/scenarios/effects/fault.ts'
import { malformations } from '../../src/scenarios/malformation.ts'
import { effectKinds } from '../../src/scenarios/schema.ts'
import { problemsOf } from '../support/problems.ts'

const text = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')
const rows = new Map(
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => [/`(\w[\w-]*)/.exec(line)![1]!, line]),
)

test('docs/scenarios.md has a row for every effect, every fault with its fields, and every condition', () => {
  expect([...rows.keys()]).toEqual(
    expect.arrayContaining([...effectKinds.map(({ name }) => name), ...Object.keys(conditions)]),
  )
  for (const { kind, fields } of faultKinds)
    for (const field of Object.keys(fields)) expect(rows.get(kind), kind).toMatch(new RegExp(`\`${field}[\`:]`))
  expect([...rows.keys()]).toEqual(expect.arrayContaining(faultKinds.map(({ kind }) => kind)))
})

test('docs/scenarios.md names every way in which a value can be wrong', () => {
  expect(malformations.filter((kind) => !text.includes(`\`${kind}\``) && !text.includes(`\`'${kind}'\``))).toEqual([])
})

test('the scenarios that docs/scenarios.md shows can be loaded', () => {
  const shown = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, scenario]) => scenario!)
  expect(shown.length).toBeGreaterThan(1)
  expect(
    problemsOf(Object.fromEntries(shown.map((scenario, place) => [`shown-${place}.yaml`, scenario])), loadScenarios),
  ).toEqual([])
})

test('after, every and times count as docs/scenarios.md says', async () => {
  expect(text).toContain('`{ after: 2, every: 3, times: 2 }` acts on the 5th and the 8th request')
  const greenhouse = createGreenhouse({
    scenarios: {
      own: {
        title: 'T',
        description: 'D',
        covers: 'C',
        respond: [{ on: 'plants.list', status: 503, after: 2, every: 3, times: 2 }],
      },
    },
  })
  greenhouse.world('default').use('own')
  const statuses: number[] = []
  for (let request = 1; request <= 12; request++) {
    await greenhouse.fetch(new Request('http://any/v1/apps'))
    statuses.push(
      (await greenhouse.fetch(new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } })))
        .status,
    )
  }
  expect(statuses.flatMap((status, place) => (status === 503 ? [place + 1] : []))).toEqual([5, 8])
})

test('the effects of a file act in the order of the table, whatever the order in the file', async () => {
  expect(effectKinds.map(({ name }) => name)).toEqual([...rows.keys()].slice(0, effectKinds.length))
})
