import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { loadFixtures, watchFolders } from 'greenhouse-mock/node'
import { readEvents } from '../support/events.ts'
import { writeFolder } from '../support/folder.ts'

const sound = 'plants:\n  - { id: 1, name: Fern, account: acct_pro }\n'
const broken = 'plants:\n  - { id: 1, name: 7, account: acct_pro }\n'
const accounts = 'accounts:\n  - { id: acct_pro, plan: pro, name: Pro, email: pro@example.com }\n'

test('what is wrong with a file that is watched is shown with its place, until it is mended', async () => {
  const folder = writeFolder({ 'accounts.yaml': accounts, 'plants.yaml': sound })
  const greenhouse = createGreenhouse({ fixtures: loadFixtures(folder) })
  await using server = await serve(greenhouse)
  const read = async () => (await fetch(`${server.url}/__greenhouse/problems`)).json()
  expect(await read()).toEqual({ data: [], watching: false, loaded_at: expect.stringMatching(/^\d{4}-.*Z$/) })

  const stream = await readEvents(server, '/events?types=problems,reload')
  const watching = watchFolders(greenhouse, { fixtures: folder })
  await stream.until(({ data }) => data.watching === true)

  writeFileSync(join(folder, 'plants.yaml'), broken)
  const { data: told } = await stream.until(({ data }) => data.data?.length === 1)
  expect(told).toMatchObject({
    data: [
      {
        file: join(folder, 'plants.yaml'),
        line: 2,
        column: 14,
        message: expect.stringMatching(/^plants\.0\.name: /),
      },
    ],
    watching: true,
  })
  expect(await read()).toEqual(told)
  expect(stream.events.some(({ type }) => type === 'reload')).toBe(false)

  writeFileSync(join(folder, 'plants.yaml'), sound)
  await stream.until(({ type }) => type === 'reload')
  await stream.until(({ id, data }) => id !== undefined && data.data?.length === 0 && data.loaded_at > told.loaded_at)
  expect(await read()).toMatchObject({ data: [], watching: true })

  watching.close()
  expect(await read()).toMatchObject({ watching: false })
  stream.close()
})

test('a folder that cannot be read is reported as a problem of the folder', async () => {
  const folder = writeFolder({ 'accounts.yaml': accounts, 'plants.yaml': sound })
  const greenhouse = createGreenhouse({ fixtures: loadFixtures(folder) })
  await using server = await serve(greenhouse)
  const stream = await readEvents(server, '/events?types=problems')
  const watching = watchFolders(greenhouse, { fixtures: folder })
  const { rmSync } = await import('node:fs')
  for (const name of ['accounts.yaml', 'plants.yaml']) rmSync(join(folder, name))
  const { data } = await stream.until(({ data }) => data.data?.length > 0 && data.data[0].line === null)
  expect(data.data).toEqual([
    { file: folder, line: null, column: null, message: expect.stringMatching(/^Found no YAML or JSON files/) },
  ])
  watching.close()
  stream.close()
})
