import { expect, onTestFinished, test, vi } from 'vitest'
import { createGreenhouse } from '../../src/index.ts'
import { loadScenarios } from '../../src/node.ts'
import { bundledScenarios } from '../../src/scenarios/language/bundled.ts'
import { effectKinds } from '../../src/scenarios/language/schema.ts'
import { writeFolder } from '../support/folder.ts'

const text = `
title: T
description: D
covers: C
options: { on: { default: plants.list } }
respond: [{ on: '\${on}', status: 503 }]
fault: [{ on: '\${on}', kind: delay, fixed: 1ms }]
`

/** Returns a function that gives how many effects were checked since, until the end of the test. */
function countReads(): () => number {
  const reads = effectKinds.map(({ schema }) => vi.spyOn(schema, 'safeParse'))
  onTestFinished(() => reads.forEach((read) => read.mockRestore()))
  return () => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

test('a scenario file is read once between its folder and its first request', async () => {
  const folder = writeFolder({ 'own.yaml': text })
  const count = countReads()
  const scenarios = loadScenarios(folder)
  expect(count()).toBe(2)
  const greenhouse = createGreenhouse({ scenarios, use: ['own'] })
  greenhouse.reload({ scenarios })
  expect((await greenhouse.fetch(new Request('http://any/plants'))).status).toBe(503)
  expect(count()).toBe(2)
  greenhouse.world().use('own:on=apps.list')
  expect(count(), 'the choice of an option is checked').toBe(4)
})

test('loaded scenarios cannot be changed after their check, and those in code are checked', () => {
  const folder = writeFolder({ 'own.yaml': text })
  const scenarios = loadScenarios(folder)
  const own = scenarios['own'] as { respond: { status: unknown }[] }
  expect(() => {
    own.respond[0]!.status = 'none'
  }).toThrow(TypeError)
  const changed = structuredClone(own)
  createGreenhouse({ scenarios: { own: changed } })
  changed.respond[0]!.status = 'none'
  expect(() => createGreenhouse({ scenarios: { own: changed } })).toThrow('respond.0.status')
  expect(() => createGreenhouse({ scenarios: { 'Other name': own } })).toThrow('is not valid')
})

test.each(['own', 'own:on=*'])(
  '%s answers with what was read of data in code as it was checked',
  async (choice) => {
    let readings = 0
    const body = { toJSON: () => ({ reading: ++readings }) }
    const item = { on: '${on}', status: 200, body, headers: { mark: 'checked' } }
    const options = { on: { default: 'plants.list' } }
    const head = { title: 'T', description: 'D', covers: 'C' }
    const greenhouse = createGreenhouse({
      scenarios: { own: { ...head, options, respond: [item] } },
    })
    item.headers.mark = 'changed later'
    greenhouse.world().use(choice as 'own')
    const response = await greenhouse.fetch(new Request('http://any/plants'))
    expect([await response.json(), response.headers.get('mark')]).toEqual([
      { reading: 1 },
      'checked',
    ])
  },
)

test('bundled scenarios are not checked at a start: nothing of them is read until one is used', () => {
  const count = countReads()
  const greenhouse = createGreenhouse()
  expect(count()).toBe(0)
  greenhouse.world().use('slow')
  greenhouse.world().use('slow')
  expect(count()).toBe(1)
  expect(bundledScenarios.size).toBeGreaterThan(50)
})
