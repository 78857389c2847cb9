import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { load } from 'js-yaml'
import { replayCase } from 'greenhouse-mock'
import { loadCase, loadConfig, loadFixtures, loadScenarios } from 'greenhouse-mock/node'
import { installPacked, type Project, root, toUserEnvironment } from '../../package/packed.ts'
import { run, startServe } from '../../support/cli.ts'
import { writeFolder } from '../../support/folder.ts'
import { listen } from '../../support/listen.ts'
import { startReceiver } from '../../webhooks/receiver.ts'
import { type Block, blocks, placeOf } from './blocks.ts'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lacks } from '../../support/lacks.ts'
import { startProcess } from '../../support/process.ts'
import { rolldown } from 'rolldown'

/**
 * Returns the expected output of a sample that is not a test, line by line: the first word of the
 * comments after `console.log(…)`.
 */
function promisedLines(text: string): string[] {
  return [...text.matchAll(/^ *console\.log\(.*\) *\/\/ (\S+?):?(?: .*)?$/gm)].map(
    ([, word]) => word!,
  )
}

function isSuite(text: string): boolean {
  return /^ *test(\.\w+)?\(/m.test(text)
}

const prelude = `import { createGreenhouse } from 'greenhouse-mock'
const greenhouse = createGreenhouse({ seed: 1 })
const world = greenhouse.world()
export { greenhouse, world }
`

/**
 * A sample as a module of its own. Lines without an import are about `greenhouse` and its `world`.
 */
function toModule(text: string): string {
  return /^import /m.test(text) ? text : `${prelude}${text}`
}

interface Result {
  readonly problems: string
  readonly printed: readonly string[]
  readonly failure: string
}

/**
 * Compiles files of a project as a user's TypeScript would, and runs them: those of tests with
 * Vitest, the others with Node. All of them together, since starting the three takes most of the
 * time. Gives what came of each.
 */
async function runSamples(
  { folder }: Project,
  files: readonly string[],
): Promise<Map<string, Result>> {
  const scripts = files.filter((file) => !file.endsWith('.test.ts'))
  const suites = files.filter((file) => file.endsWith('.test.ts'))
  const problems = await compile(folder, files)
  const results = new Map([
    ...(await runScripts(folder, scripts)),
    ...(await runSuites(folder, suites)),
  ])
  const resultOf = (file: string): Result => ({
    problems: problems.filter((line) => line.startsWith(`${file}(`)).join('\n'),
    ...(results.get(file) ?? { printed: [], failure: `${file} was not run.` }),
  })
  return new Map(files.map((file) => [file, resultOf(file)]))
}

async function compile(folder: string, files: readonly string[]): Promise<string[]> {
  const target =
    '--target es2023 --module nodenext --lib es2023,dom,dom.iterable,esnext.disposable --types node'
  const options = `--noEmit --strict --allowImportingTsExtensions --skipLibCheck ${target}`.split(
    ' ',
  )
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...files]
  const { stdout, stderr } = await startProcess(process.execPath, args, {
    cwd: folder,
    env: toUserEnvironment(),
  }).ended
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '')
  const strange = lines.filter((line) => !/^\s|^snippet-/.test(line))
  if (strange.length > 0) throw new Error(strange.join('\n'))
  return lines
}

type Ran = Omit<Result, 'problems'>

/** Runs scripts one after the other in one process, which has to end by itself. */
async function runScripts(folder: string, files: readonly string[]): Promise<[string, Ran][]> {
  const bundle = await rolldown({
    input: files.map((file) => join(folder, file)),
    external: /^[^./]/,
    platform: 'node',
    logLevel: 'silent',
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()
  const modules = files.map((file) => file.replace(/\.ts$/, '.mjs'))
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [fileURLToPath(new URL('run-scripts.mjs', import.meta.url)), ...modules],
    { cwd: folder, env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  if (code !== 0) throw new Error(`${code}: ${stdout}${stderr}`)
  const ran = JSON.parse(stdout) as Ran[]
  return files.map((file, place) => [file, ran[place]!])
}

async function runSuites(folder: string, files: readonly string[]): Promise<[string, Ran][]> {
  const { stdout, stderr } = await startProcess(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files,
      '--reporter=json',
      '--maxWorkers=1',
      '--testTimeout',
      '150000',
      // A busy machine takes longer than the second that expect.poll waits by itself.
      '--expect.poll.timeout',
      '60000',
    ],
    { cwd: folder, env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  const start = stdout.indexOf('{"')
  if (start < 0) throw new Error(`${stdout}${stderr}`)
  const { testResults } = JSON.parse(stdout.slice(start)) as {
    testResults: {
      name: string
      message: string
      status: string
      assertionResults: { failureMessages: string[] }[]
    }[]
  }
  return testResults.map(({ name, message, status, assertionResults }) => {
    const messages = [
      message,
      ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
    ]
    return [
      basename(name),
      { printed: [], failure: status === 'passed' ? '' : messages.join('\n') || status },
    ]
  })
}

/**
 * Code without its comments, the white space between its words and the commas that a longer line
 * needs at its end, to be compared.
 */
function toPlainCode(text: string): string {
  return text
    .replace(/^\s*\/\*\*[^]*?\*\/$/gm, '')
    .replace(/ +\/\/ .*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\(\s|,?\s(?=[)}\]])/g, (gap) => gap.replace(/[,\s]/g, ''))
    .trim()
}

function readPlainCode(file: string): string {
  return toPlainCode(readFileSync(join(root, file), 'utf8'))
}

interface Outcome {
  readonly command: string
  readonly code: number | undefined
  readonly statuses: number[]
  readonly output: string
}

const mark = '@@snippet'

/** Commands that only ask a running server: nothing of them needs a process of its own. */
const asking = 'assumptions|clock|records|reset|scenario|status|trigger'

/**
 * Runs such commands in this process, which has loaded what takes them most of their time. A
 * command is a folder with its words and its environment, where its output goes too.
 */
async function listenForCommands(main: string): Promise<string> {
  const { url, close } = await listen((request, response) => {
    const at = (name: string) => join(request.url!, name)
    const read = (name: string) => readFileSync(at(name), 'utf8').split('\0').slice(0, -1)
    const pairs = read('env').map((line) => /^(.*?)=([^]*)$/.exec(line)!.slice(1))
    const env = Object.fromEntries(pairs) as NodeJS.ProcessEnv
    void run(read('words'), { env, cwd: env['PWD']!, file: main }).then((ended) => {
      for (const name of ['stdout', 'stderr', 'code'] as const)
        writeFileSync(at(name), String(ended[name]))
      response.end()
    })
  })
  afterAll(close)
  return url
}

/**
 * Adds wrappers of `npx`, `greenhouse` and `curl` to a project: they run the real ones, end servers
 * and streams, and print the status of each reply. What a busy machine had not begun when its time
 * was over gets more. Vitest runs the team's own tests, not the
 * samples, which run by themselves.
 */
async function prepareCommands({ folder }: Pick<Project, 'folder'>): Promise<void> {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
  const node = JSON.stringify(process.execPath)
  // Paths may have spaces.
  const serveBriefly = JSON.stringify(fileURLToPath(new URL('serve-briefly.mjs', import.meta.url)))
  const dist = join(folder, 'node_modules/greenhouse-mock/dist')
  const command = JSON.stringify(join(dist, 'greenhouse.cjs'))
  const url = await listenForCommands(join(dist, 'cjs/main.cjs'))
  const ask = `at=$(mktemp -d); printf '%s\\0' "$@" > $at/words; env -0 > $at/env; ${curl} -sS ${url}$at; cat $at/stderr >&2; cat $at/stdout; exit $(cat $at/code)`
  const scripts = {
    greenhouse: `case $1 in ${asking}) ${ask} ;; esac\n{ [ "$1" = serve ] || [ "$1" = proxy ]; } && exec ${node} ${serveBriefly} ${command} "$@"\ncase " $* " in\n  *" --follow "*) for seconds in 3 30 90; do ${node} ${command} "$@" & sleep $seconds; kill $!; wait $!; code=$?; [ $code = 143 ] || exit $code; done; exit $code ;;\nesac\nexec ${node} ${command} "$@"`,
    'greenhouse-mock': 'exec greenhouse "$@"',
    'xdg-open': 'exit 0',
    open: 'exit 0',
    npx: `name=$1; shift\ncase $name in\n  greenhouse-mock) exec greenhouse "$@" ;;\n  vitest) exec ${node} ${join(folder, 'node_modules/vitest/vitest.mjs')} "$@" own.test.mjs ;;\n  *) echo "npx $name: the test knows no such command" >&2; exit 127 ;;\nesac`,
    curl: `case " $* " in\n  *" -N "*) for seconds in 1 30 90; do said=$(${curl} -sS --max-time $seconds -w '%{stderr}${mark} status %{http_code}\\n' "$@" 2>&1 | grep -v 'timed out'); case $said in *'status 000'*) ;; *) break ;; esac; done; printf '%s\\n' "$said" >&2; exit 0 ;;\nesac\nexec ${curl} -sS -w '%{stderr}${mark} status %{http_code}\\n' "$@"`,
  }
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
}

function commandsOf(text: string): string[] {
  return text
    .replace(/\\\n/g, '\\\n\0')
    .split(/\n(?!\0)/)
    .map((line) => line.replaceAll('\0', ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

async function runShell(
  { folder }: Pick<Project, 'folder'>,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<Outcome[]> {
  const commands = commandsOf(text)
  const script = commands
    .map(
      (command, place) =>
        `echo "${mark} begin ${place}" >&2\n${command}\necho "${mark} exit $?" >&2`,
    )
    .join('\n')
  const { stderr } = await startProcess('bash', ['-c', `{ ${script}\n} >&2`], {
    cwd: folder,
    env: { ...toUserEnvironment(), ...env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
  }).ended
  const parts = stderr.split(new RegExp(`^.*${mark} begin \\d+\\n`, 'm')).slice(1)
  return commands.map((command, place) => {
    const output = parts[place] ?? ''
    const code = new RegExp(`${mark} exit (\\d+)`).exec(output)?.[1]
    return {
      command,
      code: code === undefined ? undefined : Number(code),
      statuses: [...output.matchAll(new RegExp(`${mark} status (\\d+)`, 'g'))].map(([, status]) =>
        Number(status),
      ),
      output,
    }
  })
}

/**
 * The status that a command's comment promises, `# 429: the plan is spent`; any success where it
 * promises none.
 */
function isPromised(command: string, status: number): boolean {
  const promised = /#[^#]*?\b([45]\d\d)\b/.exec(command.split('\n').at(-1)!)?.[1]
  return promised === undefined ? status >= 200 && status < 400 : status === Number(promised)
}

function isPromisedToFail(command: string): boolean {
  return command.includes('# fails: ')
}

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
  'makes a certificate',
  'needs a certificate',
]

const isRun = ({ note }: Block) => !note.startsWith('not-run')

/** The blocks to run; those with `file=` are parts of tested files. */
const samples = blocks.filter(
  (block) => block.language === 'ts' && isRun(block) && !block.note.startsWith('file='),
)
const toFile = ({ file, line, text }: Block) =>
  `snippet-${file.replaceAll(/\W/g, '-')}-${line}${isSuite(text) ? '.test' : ''}.ts`

let project: Project
let ran: Promise<Map<string, Result>> | undefined

const runAll = () => (ran ??= runSamples(project, samples.map(toFile)))

beforeAll(async () => {
  project = installPacked({
    beside: ['express', '@types/express', 'msw', 'vitest', 'zod', '@types/node'],
  })
  await prepareCommands(project)
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
  const scenario = blocks.find(
    ({ file, language }) => file === 'docs/scenarios.md' && language === 'yaml',
  )!
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
  const told = blocks
    .filter((block) => !isRun(block))
    .map(({ note }) => note.replace('not-run: ', ''))
  expect(told.filter((reason) => !reasons.includes(reason))).toEqual([])
})

test('a block is in a language that is run here', () => {
  const languages = new Set(['sh', 'ts', 'tsx', 'js', 'python', 'yaml', 'json', 'text'])
  expect(blocks.filter(({ language }) => !languages.has(language)).map(placeOf)).toEqual([])
  // Blocks that need more than Node belong to tested files, or to examples that .ci/examples runs.
  const apart = blocks.filter(({ language }) => ['tsx', 'js', 'python'].includes(language))
  expect(apart.filter(({ note }) => !note.startsWith('file=')).map(placeOf)).toEqual([])
})

describe.skipIf(lacks.sh)('commands', () => {
  for (const file of new Set(
    blocks.filter((block) => block.language === 'sh' && isRun(block)).map(({ file }) => file),
  ))
    test(`every line of ${file} does what it says`, async () => {
      const { ready, stop } = await startServe()
      const receiver = await startReceiver()
      const { port } = new URL(ready.plants_url)
      for (const block of blocks.filter(
        (block) => block.file === file && block.language === 'sh' && isRun(block),
      )) {
        // Both in one pass: a port that was put in can itself begin with 4020.
        const text = block.text.replaceAll(/127\.0\.0\.1:(?:4010|4020)\b/g, (host) =>
          host.endsWith('4010') ? `127.0.0.1:${port}` : new URL(receiver.url).host,
        )
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
          if (command.includes('greenhouse-mock trigger'))
            expect(output, said).not.toContain('no enabled webhook')
        }
        if (file === 'docs/by-symptom.md')
          await fetch(`${ready.plants_url}/__greenhouse/worlds/default/scenarios`, {
            method: 'DELETE',
          })
      }
      if (file === 'docs/webhooks.md')
        expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(
          expect.arrayContaining(['message.sent', 'plant.created']),
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
      const replayed = await replayCase(
        loadCase(join(writeFolder({ 'a.case.yaml': block.text }), 'a.case.yaml')),
      )
      replayed.greenhouse.close()
      return expect(replayed.differences).toEqual([])
    }
    if ('extends' in document)
      return expect(
        loadFixtures(writeFolder({ 'all.yaml': block.text }))['plants']?.length,
      ).toBeGreaterThan(5_000)
    if ('accounts' in document)
      return expect(Object.keys(loadFixtures(writeFolder({ 'all.yaml': block.text })))).toEqual(
        Object.keys(document),
      )
    if ('port' in document) {
      const fixtures = blocks.find(({ file }) => file === 'docs/fixtures.md')!.text
      const folder = writeFolder({
        'greenhouse.config.yaml': block.text,
        'my-fixtures/all.yaml': fixtures,
      })
      const { greenhouse } = await loadConfig({ file: join(folder, 'greenhouse.config.yaml') })
      return expect(greenhouse.use).toEqual(document['use'])
    }
    // A part of a scenario is one with a title.
    const title = 'title' in document ? '' : 'title: T\ndescription: D\ncovers: C\n'
    return expect(
      Object.keys(loadScenarios(writeFolder({ 'own.yaml': title + block.text }))),
    ).toEqual(['own'])
  })

for (const block of blocks.filter((block) => block.language === 'json' && isRun(block)))
  test(`${placeOf(block)} is JSON`, () => expect(() => JSON.parse(block.text)).not.toThrow())
