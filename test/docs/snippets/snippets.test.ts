import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadFixtures, loadScenarios } from '../../../src/node.ts'
import { installPacked, root, type Project } from '../../package/packed.ts'
import { startServe } from '../../support/cli.ts'
import { writeFolder } from '../../support/folder.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { blocks, placeOf, type Block } from './blocks.ts'
import { compile, isSuite, promisedLines, readPlainCode, runCode, toPlainCode } from './code.ts'
import { commandsOf, isPromised, prepareCommands, runShell } from './shell.ts'

/** Blocks that nothing here runs, each with what it says of why. A new one belongs here only where it really can't be run. */
const notRun = [
  'README.md: CI runs both on a fresh machine',
  'bench/README.md: takes minutes; bench/run.mjs is what .ci/run starts',
  'docs/test-runners/playwright.md: installs packages',
  'docs/test-runners/vitest.md: installs packages',
]

const isRun = ({ note }: Block) => !note.startsWith('not-run')

let project: Project

beforeAll(() => {
  project = installPacked({ beside: ['msw', 'vitest', '@types/node'] })
  prepareCommands(project)
  prepareFolder(project)
}, 120_000)

afterAll(() => project.remove())

/** What the samples call yours: a client, fixtures, scenarios and handlers. */
function prepareFolder({ folder, write }: Project): void {
  for (const name of ['my-fixtures', 'fixtures', 'scenarios']) mkdirSync(join(folder, name))
  write('client.ts', readFileSync(join(root, 'examples/vitest/client.ts'), 'utf8'))
  write('package.json', '{ "name": "project", "private": true, "type": "module" }')
  const fixtures = blocks.find(({ file }) => file === 'docs/fixtures.md')!.text
  write('my-fixtures/all.yaml', fixtures)
  write('fixtures/all.yaml', fixtures)
  write(
    'scenarios/own.yaml',
    blocks.find(({ file, language }) => file === 'docs/scenarios.md' && language === 'yaml')!.text,
  )
  write(
    'my-handlers.mjs',
    `import { http, HttpResponse } from 'msw'\nexport const handlers = [http.get('/plants', () => HttpResponse.json([]))]\n`,
  )
  write(
    'own.test.mjs',
    `import { expect, test } from 'vitest'\ntest('the server is there', async () => expect((await fetch(process.env.PLANTS_BASE_URL + '/plants')).status).toBe(401))\n`,
  )
}

test('the blocks that are not run are these, and each says why', () => {
  expect(
    blocks.filter((block) => !isRun(block)).map(({ file, note }) => `${file}: ${note.replace('not-run: ', '')}`),
  ).toEqual(notRun)
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'yaml', 'json', 'text']))
})

describe.skipIf(process.platform === 'win32')('commands', () => {
  for (const file of new Set(blocks.filter((block) => block.language === 'sh' && isRun(block)).map(({ file }) => file)))
    test(`every line of ${file} does what it says`, { timeout: 240_000 }, async () => {
      const { ready, stop } = await startServe()
      const receiver = await startReceiver()
      const { port } = new URL(ready.plants_url)
      for (const block of blocks.filter((block) => block.file === file && block.language === 'sh' && isRun(block))) {
        const text = block.text
          .replaceAll('127.0.0.1:4010', `127.0.0.1:${port}`)
          .replaceAll('127.0.0.1:4020', new URL(receiver.url).host)
        const outcomes = await runShell(project, text, { GREENHOUSE_URL: ready.plants_url })
        expect(outcomes).toHaveLength(commandsOf(block.text).length)
        for (const { command, code, statuses, output } of outcomes) {
          expect(code, `${placeOf(block)}: ${command}\n${output}`).toBe(0)
          for (const status of statuses)
            expect(
              isPromised(command, status),
              `${placeOf(block)}: ${command}\nwas answered with ${status}\n${output}`,
            ).toBe(true)
          if (/^\s*curl /.test(command)) expect(statuses, `${placeOf(block)}: ${command}\n${output}`).not.toEqual([])
          if (command.includes('greenhouse trigger')) expect(output, placeOf(block)).not.toContain('no enabled webhook')
        }
      }
      if (file === 'README.md')
        expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(
          expect.arrayContaining(['app.created', 'message.sent']),
        )
      expect((await stop()).code).toBe(0)
    })
})

for (const block of blocks.filter((block) => block.language === 'ts' && isRun(block)))
  test(`${placeOf(block)} works as it stands`, { timeout: 240_000 }, async () => {
    const [, source] = /^file=(\S+)$/.exec(block.note) ?? []
    if (source !== undefined) return expect(readPlainCode(source)).toContain(toPlainCode(block.text))
    const file = `snippet-${block.line}${isSuite(block.text) ? '.test' : ''}.ts`
    project.write(file, block.text)
    expect(await compile(project, file)).toBe('')
    const { code, stdout, stderr } = await runCode(project, file, {})
    expect(code, stdout + stderr).toBe(0)
    if (!isSuite(block.text))
      expect([stdout.split('\n').filter((line) => line !== ''), stderr]).toEqual([promisedLines(block.text), ''])
    rmSync(join(project.folder, file))
  })

for (const block of blocks.filter((block) => block.language === 'yaml' && isRun(block)))
  test(`${placeOf(block)} can be loaded`, () => {
    const document = parse(block.text) as Record<string, unknown>
    if ('accounts' in document)
      return expect(Object.keys(loadFixtures(writeFolder({ 'all.yaml': block.text })))).toEqual(Object.keys(document))
    // A part of a scenario is one with a title.
    const title = 'title' in document ? '' : 'title: T\ndescription: D\ncovers: C\n'
    return expect(Object.keys(loadScenarios(writeFolder({ 'own.yaml': title + block.text })))).toEqual(['own'])
  })

for (const block of blocks.filter((block) => block.language === 'json' && isRun(block)))
  test(`${placeOf(block)} is JSON`, () => expect(() => JSON.parse(block.text)).not.toThrow())
