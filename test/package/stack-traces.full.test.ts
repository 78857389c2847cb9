import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked, toUserEnvironment, type Project } from './packed.ts'

let project: Project

beforeAll(() => {
  project = installPacked()
})

afterAll(() => project.remove())

/** Returns what Node prints for an uncaught error. */
function printed(file: string, code: string, ...flags: string[]): string {
  project.write(file, code)
  const { stderr } = spawnSync(process.execPath, [...flags, file], {
    cwd: project.folder,
    encoding: 'utf8',
    env: toUserEnvironment(),
  })
  return stderr
}

const wrong = `createGreenhouse({ fixtures: { plants: [{ id: 'x' }] } })`
const imported = `import { createGreenhouse } from 'greenhouse-mock'\n${wrong}\n`
const required = `const { createGreenhouse } = require('greenhouse-mock')\n${wrong}\n`

test.each([
  ['wrong.mjs', imported],
  ['wrong.cjs', required],
])('an error that nobody catches shows the line that calls, and few others: %s', (file, code) => {
  const said = printed(file, code)
  expect(said).toContain('DataError: Failed to load fixtures: 3 problems.')
  expect(said).toMatch(new RegExp(`at .*${file.replace('.', '\\.')}:2:`))
  expect(said.length).toBeLessThan(2_500)
  expect(Math.max(...said.split('\n').map(({ length }) => length))).toBeLessThan(300)
})

test('with --enable-source-maps an error of ours names our sources and shows a line of them', () => {
  const inside = `import { createGreenhouse } from 'greenhouse-mock'\ncreateGreenhouse().fetch({})\n`
  const said = printed('inside.mjs', inside, '--enable-source-maps')
  expect(said).toMatch(/greenhouse-mock\/src\/api\/assembly\/assemble\.ts:\d+/)
  expect(said.length).toBeLessThan(2_500)
})
