import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const toFile = (status: number) =>
  `title: T\ndescription: D\ncovers: C\nrespond:\n  - { on: plants.list, status: ${status} }\n`

test('a flag switches a scenario on, the command replaces it, and saving its file changes it', async () => {
  const folder = writeFolder({ 'own.yaml': toFile(418) })
  const { ready, call, output, stop } = await startServe(['--scenarios', folder, '--scenario', 'own', '--watch'])
  const status = async () => (await call('/plants')).status
  expect(ready.scenarios).toEqual(['own'])
  expect(await status()).toBe(418)

  writeFileSync(join(folder, 'own.yaml'), toFile(410))
  await expect.poll(status).toBe(410)

  expect((await run(['scenario', 'use', '--only', 'forbidden:on=apps.*', '--server', ready.plants_url])).code).toBe(0)
  expect(await status()).toBe(200)
  expect((await run(['scenario', 'clear', '--server', ready.plants_url])).code).toBe(0)
  expect((await call('/v1/apps')).status).toBe(200)
  await stop()

  const lines = output.stdout
    .split('\n')
    .filter((line) => line.includes('"event":"request"'))
    .map((line) => JSON.parse(line))
  expect(lines.find(({ response }) => response.status === 418)).toMatchObject({
    scenarios: ['own'],
    verdicts: [{ scenario: 'own', effect: 'respond.0', fired: true, why: expect.stringMatching(/./) }],
  })
  expect(lines.find(({ response }) => response.status === 200)).toMatchObject({
    scenarios: [],
    verdicts: [{ scenario: 'forbidden', effect: 'respond.0', fired: false, why: 'it acts on other operations' }],
  })
  expect(lines.at(-1)).not.toHaveProperty('verdicts')
})
