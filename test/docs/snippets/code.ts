import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { startProcess } from '../../support/process.ts'
import { root, toUserEnvironment, type Project } from '../../package/packed.ts'

/** Returns the expected output of a sample that is not a test, line by line: the first word of the comments after `console.log(…)`. */
export function promisedLines(text: string): string[] {
  return [...text.matchAll(/^ *console\.log\(.*\) *\/\/ (\S+?):?(?: .*)?$/gm)].map(([, word]) => word!)
}

export function isSuite(text: string): boolean {
  return /^ *test(\.\w+)?\(/m.test(text)
}

const prelude = `import { createGreenhouse } from 'greenhouse-mock'
const greenhouse = createGreenhouse({ seed: 1 })
const world = greenhouse.world()
export { greenhouse, world }
`

/** A sample as a module of its own. Lines without an import are about `greenhouse` and its `world`. */
export function toModule(text: string): string {
  return /^import /m.test(text) ? text : `${prelude}${text}`
}

export interface Result {
  readonly problems: string
  readonly printed: readonly string[]
  readonly failure: string
}

/**
 * Compiles files of a project as a user's TypeScript would, and runs them: those of tests with Vitest, the others with Node. All
 * of them together, since starting the three takes most of the time. Gives what came of each.
 */
export async function runSamples({ folder }: Project, files: readonly string[]): Promise<Map<string, Result>> {
  const scripts = files.filter((file) => !file.endsWith('.test.ts'))
  const suites = files.filter((file) => file.endsWith('.test.ts'))
  const problems = await compile(folder, files)
  const results = new Map([...(await runScripts(folder, scripts)), ...(await runSuites(folder, suites))])
  const resultOf = (file: string): Result => ({
    problems: problems.filter((line) => line.startsWith(`${file}(`)).join('\n'),
    ...(results.get(file) ?? { printed: [], failure: `${file} was not run.` }),
  })
  return new Map(files.map((file) => [file, resultOf(file)]))
}

async function compile(folder: string, files: readonly string[]): Promise<string[]> {
  const target = '--target es2023 --module nodenext --lib es2023,dom,dom.iterable,esnext.disposable --types node'
  const options = `--noEmit --strict --allowImportingTsExtensions --skipLibCheck ${target}`.split(' ')
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...files]
  const { stdout, stderr } = await startProcess(process.execPath, args, { cwd: folder, env: toUserEnvironment() }).ended
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
    ['node_modules/vitest/vitest.mjs', 'run', ...files, '--reporter=json', '--maxWorkers=1', '--testTimeout', '150000'],
    { cwd: folder, env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  const start = stdout.indexOf('{"')
  if (start < 0) throw new Error(`${stdout}${stderr}`)
  const { testResults } = JSON.parse(stdout.slice(start)) as {
    testResults: { name: string; message: string; status: string; assertionResults: { failureMessages: string[] }[] }[]
  }
  return testResults.map(({ name, message, status, assertionResults }) => {
    const messages = [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)]
    return [basename(name), { printed: [], failure: status === 'passed' ? '' : messages.join('\n') || status }]
  })
}

/** Code without its comments and the white space between its words, to be compared. */
export function toPlainCode(text: string): string {
  return text
    .replace(/^\s*\/\*\*.*\*\/$/gm, '')
    .replace(/ +\/\/ .*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function readPlainCode(file: string): string {
  return toPlainCode(readFileSync(join(root, file), 'utf8'))
}
