import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { parseScenarios } from 'greenhouse-mock/config'

const drought = `
title: There is no water
description: Plants are not listed.
covers: what an app shows then
options:
  status: { description: Which status, default: 503 }
respond: [{ on: plants.list, status: '\${status}' }]
`

const list = new Request('http://any/plants', { headers: { authorization: 'Bearer key_pro' } })

test('a page makes scenarios of YAML texts, and switches them on with options', async () => {
  const greenhouse = createGreenhouse({ scenarios: parseScenarios({ drought }) })
  greenhouse.world().use('drought', { status: 502 })
  expect((await greenhouse.fetch(list)).status).toBe(502)
})

test("the texts of Vite's import.meta.glob have the names of their files", async () => {
  const texts = { './scenarios/drought.yaml': drought, '../flood.json': '{}', calm: '{}' }
  expect(Object.keys(parseScenarios(texts))).toEqual(['drought', 'flood', 'calm'])
})

test('a mistake in YAML has its line and column, one in a scenario its path', () => {
  expect(() => parseScenarios({ drought: 'title: [', flood: 'title: a: b' })).toThrow(
    /^Failed to load the scenarios: 2 problems\.\ndrought:1:9: .*\nflood:1:9: /,
  )
  const scenarios = parseScenarios({ drought: drought.replace('respond', 'respnd') })
  expect(() => createGreenhouse({ scenarios })).toThrow(
    'drought: respnd: there is no such field; expected one of ',
  )
  expect(() => parseScenarios({ './a/drought.yaml': drought, './b/drought.yml': drought })).toThrow(
    './b/drought.yml: the name "drought" is taken already, by ./a/drought.yaml',
  )
  // Vite's glob without `eager`.
  expect(() => parseScenarios({ './a.yaml': (async () => drought) as never })).toThrow(
    'Failed to call parseScenarios(): ./a.yaml: expected a YAML text, which import.meta.glob gives with { query: "?raw", import: "default", eager: true }, received an async function.',
  )
  expect(() => parseScenarios([] as never)).toThrow(
    'Failed to call parseScenarios(): the first argument: expected an object of YAML texts by name, such as { "out-of-pots": text }, received a list.',
  )
})

test('a text in the place of a scenario says what parses it', () => {
  expect(() => createGreenhouse({ scenarios: { drought } as never })).toThrow(
    'drought: is a text: expected an object. parseScenarios() of greenhouse-mock/config reads texts in YAML',
  )
})
