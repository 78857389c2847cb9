import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, toUserEnvironment } from '../package/packed.ts'
import { startProcess } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

/** The result of one test. */
export interface Outcome {
  readonly title: string
  readonly status: string
  /** Why it failed, without colours. */
  readonly errors: readonly string[]
}

/** The result of a run. */
export interface Run<T extends Outcome = Outcome> {
  readonly code: number | null
  /** The output. */
  readonly output: string
  readonly results: readonly T[]
}

/** Runs a file of `suites` with Vitest. */
export async function runSuite(
  name: string,
  ...args: string[]
): Promise<Run & { readonly fileErrors: readonly string[] }> {
  const file = join(writeFolder({}), 'results.json')
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      join(root, 'test/testing/suites'),
      '--testTimeout',
      '150000',
      '--reporter',
      'default',
      '--reporter',
      'json',
      '--outputFile.json',
      file,
      ...args,
      `${name}.suite.ts`,
    ],
    { env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  const output = stdout + stderr
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: {
      message: string
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }
  return {
    code,
    output,
    results: testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status, failureMessages }) => ({ title, status, errors: failureMessages })),
    ),
    fileErrors: testResults.map(({ message }) => message).filter((message) => message !== ''),
  }
}

/** An outcome in Playwright. */
export interface PageOutcome extends Outcome {
  readonly attachments: readonly { readonly name: string; readonly body?: string }[]
}

/** The used parts of Playwright's JSON report. */
interface Report {
  suites: {
    specs: {
      title: string
      tests: {
        projectName: string
        results: { status: string; errors: { message?: string }[]; attachments: PageOutcome['attachments'] }[]
      }[]
    }[]
  }[]
}

/** Runs Playwright on a folder, or on some of its files. */
export async function runPlaywright(folder: string, ...files: string[]): Promise<Run<PageOutcome>> {
  const command = join(root, 'node_modules/@playwright/test/cli.js')
  const config = resolve(root, folder, 'playwright.config.ts')
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    [command, 'test', ...files, '--config', config, '--reporter', 'json', '--output', writeFolder({})],
    { cwd: root, env: { ...toUserEnvironment(), NO_COLOR: '1' } },
  ).ended
  const { suites } = JSON.parse(stdout) as Report
  return {
    code,
    output: stdout + stderr,
    results: suites.flatMap(({ specs }) =>
      specs.flatMap(({ title, tests }) =>
        tests.map(({ projectName, results }) => {
          const { status, errors, attachments } = results.at(-1)!
          return {
            title: projectName === '' ? title : projectName,
            status,
            errors: errors.map(({ message = '' }) => message),
            attachments,
          }
        }),
      ),
    ),
  }
}

/** The expected results by title: those that begin with "fails" fail, all others pass. */
export const byTitle = ({ title, status }: Outcome): [string, string] => [
  title,
  /^fails\b/.test(title) === (status === 'failed') ? 'as its title says' : status,
]

export const asPromised = (results: readonly Outcome[]): [string, string][] =>
  results.map(({ title }) => [title, 'as its title says'])
