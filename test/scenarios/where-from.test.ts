import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { loadScenarios } from 'greenhouse-mock/node'
import { writeFolder } from '../support/folder.ts'

const text = `title: Own
description: A situation of our own.
covers: Whatever we like.
fault:
  - kind: delay
    fixed: 5ms
`

test('a scenario from a file has its path, and one from code is marked as not bundled', () => {
  const folder = writeFolder({ 'own.yaml': text, 'slow.yaml': text })
  const { slow, own } = loadScenarios(folder) as Record<string, object>
  const greenhouse = createGreenhouse({ scenarios: { own, slow, coded: { ...own } } })
  const told = new Map(greenhouse.scenarios().map((scenario) => [scenario.name, scenario]))
  expect(told.get('own')).toMatchObject({ bundled: false, file: join(folder, 'own.yaml') })
  expect(told.get('slow')).toMatchObject({ bundled: false, file: join(folder, 'slow.yaml') })
  expect(told.get('coded')).toMatchObject({ bundled: false })
  expect(told.get('coded')).not.toHaveProperty('file')
  expect(told.get('flaky')).toMatchObject({ bundled: true })
  expect(told.get('flaky')).not.toHaveProperty('file')
})

test('a scenario that takes a connection says which fault does, and MSW refuses exactly those', async () => {
  const { createHandlers } = await import('greenhouse-mock/msw')
  const greenhouse = createGreenhouse()
  const told = greenhouse.scenarios().filter((scenario) => scenario.needs_connection !== undefined)
  createHandlers(greenhouse)
  const refused = greenhouse.scenarios().filter(({ name }) => {
    try {
      greenhouse.world().useOnly([name as never])
      return false
    } catch {
      return true
    }
  })
  expect(told.map(({ name }) => name)).toEqual(refused.map(({ name }) => name))
  expect(told.find(({ name }) => name === 'connection-reset')).toMatchObject({ needs_connection: 'reset' })
})
