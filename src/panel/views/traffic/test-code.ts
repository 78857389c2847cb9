import { toLiteral } from '../../../core/text/messages.ts'
import type { JournalEntry, PanelChoice } from '../../data/shapes.ts'
import { toFetchOptions, type CodeRequest } from './code.ts'

export interface TestStart {
  readonly seed: number
  readonly now: string
  readonly scenarios: readonly PanelChoice[]
}

interface Runner {
  readonly title: string
  readonly imports: readonly string[]
  readonly wrap: (title: string, body: readonly string[]) => readonly string[]
  readonly check: (status: number) => string
}

const withFixtures = (title: string, body: readonly string[]) => [
  `test(${title}, async ({ world, api }) => {`,
  ...body.map((line) => `  ${line}`),
  '})',
]
const withWorld = (title: string, body: readonly string[]) => [
  'test(',
  `  ${title},`,
  '  withWorld(async ({ world, api }) => {',
  ...body.map((line) => `    ${line}`),
  '  }),',
  ')',
]
const expectStatus = (status: number) => `expect(response.status).toBe(${status})`

export const runners: readonly Runner[] = [
  {
    title: 'Vitest',
    imports: ["import { expect } from 'vitest'", "import { test } from 'greenhouse-mock/vitest'"],
    wrap: withFixtures,
    check: expectStatus,
  },
  {
    title: 'Jest',
    imports: ["const { withWorld } = require('greenhouse-mock/testing')"],
    wrap: withWorld,
    check: expectStatus,
  },
  {
    title: 'Playwright',
    imports: ["import { expect, test } from 'greenhouse-mock/playwright'"],
    wrap: withFixtures,
    check: expectStatus,
  },
  {
    title: 'node:test',
    imports: [
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      "import { withWorld } from 'greenhouse-mock/testing'",
    ],
    wrap: withWorld,
    check: (status) => `assert.equal(response.status, ${status})`,
  },
]

export function toTest(runner: Runner, entry: JournalEntry, request: CodeRequest, start: TestStart): string {
  const path = entry.request.url.replace(/^\/~[^/?]+/, '')
  const url = /^\/v1(?=[/?]|$)/.test(path)
    ? `api.appsUrl + ${toLiteral(path.slice(3))}`
    : `api.plantsUrl + ${toLiteral(path)}`
  const headers = request.headers.filter(([name]) => name !== 'x-greenhouse-world')
  const { status } = entry.response
  const reset = `world.reset(${toLiteral(start)})`
  const call = `fetch(${url}${toFetchOptions({ ...request, headers })})`
  const checks =
    status === 0
      ? [`await ${call}.then(`, '  () => { throw new Error("a reply came") },', '  () => undefined,', ')']
      : [`const response = await ${call}`, runner.check(status)]
  const body = [reset, 'world.clock.freeze()', ...checks].flatMap((line) => line.split('\n'))
  const title = toLiteral(`${entry.request.method} ${path} is ${status === 0 ? 'not answered' : String(status)}`)
  return [...runner.imports, '', ...runner.wrap(title, body), ''].join('\n')
}
