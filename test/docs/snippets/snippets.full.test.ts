import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from 'js-yaml'
import { replayCase } from 'greenhouse-mock/case'
import { loadCase, loadConfig, loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { installPacked, root, type Project } from '../../package/packed.ts'
import { startServe } from '../../support/cli.ts'
import { writeFolder } from '../../support/folder.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { blocks, placeOf, type Block } from './blocks.ts'
import { isSuite, promisedLines, readPlainCode, runSamples, toModule, toPlainCode, type Result } from './code.ts'
import { commandsOf, isPromised, isPromisedToFail, prepareCommands, runShell } from './shell.ts'

/** Why a block is not run. A new reason belongs here only where a block really can't be run. */
const reasons = [
  'CI runs both on a fresh machine',
  'installs from the registry',
  'needs another server',
  'needs pytest',
  'installs packages',
  'needs Next.js',
  'runs in a browser',
  'takes about twenty minutes',
  'the matrix runs it',
  'the test above is run',
  'writes into public',
  'changes your editor',
]

const isRun = ({ note }: Block) => !note.startsWith('not-run')

/** The blocks to run; those with `file=` are parts of tested files. */
const samples = blocks.filter((block) => block.language === 'ts' && isRun(block) && !block.note.startsWith('file='))
const toFile = ({ file, line, text }: Block) =>
  `snippet-${file.replaceAll(/\W/g, '-')}-${line}${isSuite(text) ? '.test' : ''}.ts`

let project: Project
let ran: Promise<Map<string, Result>> | undefined

const runAll = () => (ran ??= runSamples(project, samples.map(toFile)))

beforeAll(() => {
  project = installPacked({ beside: ['express', '@types/express', 'msw', 'vitest', 'zod', '@types/node'] })
  prepareCommands(project)
  prepareFolder(project)
  for (const block of samples) project.write(toFile(block), toModule(block.text))
})

afterAll(() => project.remove())

/** Adds the files that samples call yours: a client, fixtures, scenarios and handlers. */
function prepareFolder({ folder, write }: Project): void {
  for (const name of ['my-fixtures', 'fixtures', 'scenarios']) mkdirSync(join(folder, name))
  write('client.ts', readFileSync(join(root, 'examples/vitest/client.ts'), 'utf8'))
  write('package.json', '{ "name": "project", "private": true, "type": "module" }')
  const fixtures = blocks.find(({ file }) => file === 'docs/fixtures.md')!.text
  write('my-fixtures/all.yaml', fixtures)
  write('fixtures/all.yaml', fixtures)
  const scenario = blocks.find(({ file, language }) => file === 'docs/scenarios.md' && language === 'yaml')!
  write('scenarios/own.yaml', scenario.text)
  write(
    'my-handlers.mjs',
    `import { http, HttpResponse } from 'msw'\nexport const handlers = [http.get('/plants', () => HttpResponse.json([]))]\n`,
  )
  write(
    'own.test.mjs',
    `import { expect, test } from 'vitest'\ntest('the server is there', async () => expect((await fetch(process.env.PLANTS_BASE_URL + '/plants')).status).toBe(401))\n`,
  )
}

test('a block that is not run says why', () => {
  const told = blocks.filter((block) => !isRun(block)).map(({ note }) => note.replace('not-run: ', ''))
  expect(told.filter((reason) => !reasons.includes(reason))).toEqual([])
})

test('a block is in a language that is run here', () => {
  const languages = new Set(['sh', 'ts', 'tsx', 'js', 'python', 'yaml', 'json', 'text'])
  expect(blocks.filter(({ language }) => !languages.has(language)).map(placeOf)).toEqual([])
  // Blocks that need more than Node belong to tested files, or to examples that .ci/examples runs.
  const apart = blocks.filter(({ language }) => ['tsx', 'js', 'python'].includes(language))
  expect(apart.filter(({ note }) => !note.startsWith('file=')).map(placeOf)).toEqual([])
})

describe.skipIf(process.platform === 'win32')('commands', () => {
  for (const file of new Set(blocks.filter((block) => block.language === 'sh' && isRun(block)).map(({ file }) => file)))
    test(`every line of ${file} does what it says`, async () => {
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
          const said = `${placeOf(block)}: ${command}\n${output}`
          expect(code === 0, said).toBe(!isPromisedToFail(command))
          if (isPromisedToFail(command)) continue
          expect(
            statuses.filter((status) => !isPromised(command, status)),
            said,
          ).toEqual([])
          if (/^\s*curl /.test(command)) expect(statuses, said).not.toEqual([])
          if (command.includes('greenhouse-mock trigger')) expect(output, said).not.toContain('no enabled webhook')
        }
        if (file === 'docs/by-symptom.md')
          await fetch(`${ready.plants_url}/__greenhouse/worlds/default/scenarios`, { method: 'DELETE' })
      }
      if (file === 'README.md')
        expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(
          expect.arrayContaining(['app.created', 'message.sent']),
        )
      expect((await stop()).code).toBe(0)
    })
})

for (const block of samples)
  test(`${placeOf(block)} works as it stands`, async () => {
    const { problems, printed, failure } = (await runAll()).get(toFile(block))!
    expect(problems).toBe('')
    expect(failure).toBe('')
    if (!isSuite(block.text)) expect(printed).toEqual(promisedLines(block.text))
  })

for (const block of blocks.filter(({ note }) => note.startsWith('file=')))
  test(`${placeOf(block)} is a part of that file`, () => {
    expect(readPlainCode(block.note.slice('file='.length))).toContain(toPlainCode(block.text))
  })

for (const block of blocks.filter((block) => block.language === 'yaml' && isRun(block)))
  test(`${placeOf(block)} can be loaded`, async () => {
    const document = load(block.text) as Record<string, unknown>
    if ('case' in document) {
      const replayed = await replayCase(loadCase(join(writeFolder({ 'a.case.yaml': block.text }), 'a.case.yaml')))
      replayed.greenhouse.close()
      return expect(replayed.differences).toEqual([])
    }
    if ('extends' in document)
      return expect(loadFixtures(writeFolder({ 'all.yaml': block.text }))['plants']?.length).toBeGreaterThan(5_000)
    if ('accounts' in document)
      return expect(Object.keys(loadFixtures(writeFolder({ 'all.yaml': block.text })))).toEqual(Object.keys(document))
    if ('port' in document) {
      const fixtures = blocks.find(({ file }) => file === 'docs/fixtures.md')!.text
      const folder = writeFolder({ 'greenhouse.config.yaml': block.text, 'my-fixtures/all.yaml': fixtures })
      const { greenhouse } = await loadConfig({ file: join(folder, 'greenhouse.config.yaml') })
      return expect(greenhouse.use).toEqual(document['use'])
    }
    // A part of a scenario is one with a title.
    const title = 'title' in document ? '' : 'title: T\ndescription: D\ncovers: C\n'
    return expect(Object.keys(loadScenarios(writeFolder({ 'own.yaml': title + block.text })))).toEqual(['own'])
  })

for (const block of blocks.filter((block) => block.language === 'json' && isRun(block)))
  test(`${placeOf(block)} is JSON`, () => expect(() => JSON.parse(block.text)).not.toThrow())
