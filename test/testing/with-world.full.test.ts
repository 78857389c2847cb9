import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { startProcess } from '../support/process.ts'

test("the folder of cases has the last run's, from all of its processes", async () => {
  const failing = (name: string) => `import test from 'node:test'
import { withWorld } from '${pathToFileURL('dist/testing.js').href}'
test('${name}', withWorld(async ({ api }) => { await fetch(api.plantsUrl + '/plants'); throw new Error('no') }))`
  const folder = writeFolder({ 'a.test.mjs': failing('first'), 'b.test.mjs': failing('second') })
  const casesOf = async (...files: string[]) => {
    await startProcess(process.execPath, ['--test', ...files], { cwd: folder }).ended
    const names = readdirSync(join(folder, 'node_modules/.cache/greenhouse-mock/cases'))
    return names.filter((name) => name.endsWith('.case.yaml'))
  }
  const one = (name: string) => expect.stringContaining(name)
  expect(await casesOf('a.test.mjs', 'b.test.mjs')).toEqual([one('first'), one('second')])
  expect(await casesOf('b.test.mjs')).toEqual([one('second')])
})
