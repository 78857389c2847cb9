import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, toUserEnvironment } from '../package/packed.ts'
import { startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

export interface Outcome {
  readonly title: string
  readonly status: string
  /** Why it failed, without colours. */
  readonly errors: readonly string[]
}

export interface Run<T extends Outcome = Outcome> {
  readonly code: number | null
  readonly output: string
  readonly results: readonly T[]
}

/**
 * Runs a program of Node without colours, as a user does. Its cases have a folder of their own: the
 * usual one loses those of this run when another one begins beside it.
 */
const runPlainly = (words: string[], cwd = root) =>
  startProcess(process.execPath, words, {
    cwd,
    env: { ...toUserEnvironment(), NO_COLOR: '1', GREENHOUSE_ARTIFACTS: writeFolder({}) },
  }).ended

interface SuiteReport {
  testResults: {
    message: string
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}

export async function runSuite(
  name: string,
  ...args: string[]
): Promise<Run & { fileErrors: readonly string[] }> {
  const file = join(writeFolder({}), 'results.json')
  const flags = [
    '--testTimeout',
    '150000',
    '--reporter',
    'default',
    '--reporter',
    'json',
    '--outputFile.json',
    file,
  ]
  const command = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    join(root, 'test/testing/suites'),
  ]
  const { code, stdout, stderr } = await runPlainly([
    ...command,
    ...flags,
    ...args,
    `${name}.suite.ts`,
  ])
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as SuiteReport
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    code,
    output: stdout + stderr,
    results: results.map(({ title, status, failureMessages: errors }) => ({
      title,
      status,
      errors,
    })),
    fileErrors: testResults.map(({ message }) => message).filter((message) => message !== ''),
  }
}

export interface PageOutcome extends Outcome {
  readonly file: string
  readonly attachments: readonly { readonly name: string; readonly body?: string }[]
}

interface PageReport {
  suites: {
    file: string
    specs: { title: string; tests: { projectName: string; results: PageResult[] }[] }[]
  }[]
  /** What belongs to no test. */
  errors: unknown[]
}

type PageResult = Pick<PageOutcome, 'status' | 'attachments'> & { errors: { message?: string }[] }

export interface PageRun extends Run<PageOutcome> {
  readonly errors: readonly unknown[]
}

export async function runPlaywright(folder: string): Promise<PageRun> {
  const command = join(root, 'node_modules/@playwright/test/cli.js')
  const config = resolve(root, folder, 'playwright.config.ts')
  const flags = ['--config', config, '--reporter', 'json', '--output', writeFolder({})]
  const { code, stdout, stderr } = await runPlainly([command, 'test', ...flags])
  const { suites, errors } = JSON.parse(stdout) as PageReport
  const specs = suites.flatMap(({ file, specs }) => specs.map((spec) => ({ file, ...spec })))
  const results = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, results }) => {
      const { errors, ...result } = results.at(-1)!
      return {
        ...result,
        file,
        title: projectName || title,
        errors: errors.map(({ message = '' }) => message),
      }
    }),
  )
  return { code, output: stdout + stderr, results, errors }
}

/** The expected results by title: those that begin with "fails" fail, all others pass. */
export const byTitle = ({ title, status }: Outcome): [string, string] => [
  title,
  /^fails\b/.test(title) === (status === 'failed') ? 'as its title says' : status,
]

export const asPromised = (results: readonly Outcome[]): [string, string][] =>
  results.map(({ title }) => [title, 'as its title says'])
