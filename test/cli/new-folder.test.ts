import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const text = 'title: T\ndescription: D\ncovers: C\nrespond: [{ status: 418 }]\n'

test.each([
  ['that is empty', '.', {}],
  ['that has hidden files only', '.', { '.gitkeep': '' }],
  ['that is not there yet', 'mine', {}],
])('serve starts with a folder of scenarios %s, and saves there', async (_, name, files) => {
  const folder = join(writeFolder(files), name)
  const { ready } = await startServe(['--scenarios', folder])
  expect(existsSync(folder)).toBe(true)
  const saved = await fetch(`${ready.plants_url}/__greenhouse/scenarios/teapot`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  expect(saved.status).toBeLessThan(300)
  expect(readFileSync(join(folder, 'teapot.yaml'), 'utf8')).toBe(text)
  const reply = await fetch(`${ready.plants_url}/plants`, {
    headers: { 'x-greenhouse-scenario': 'teapot' },
  })
  expect(reply.status).toBe(418)
})
