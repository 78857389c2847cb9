import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { startProcess, type Ended } from '../../support/cli.ts'
import { root, toUserEnvironment, type Project } from '../../package/packed.ts'

/** What a sample that is no test prints must be, line by line: what its comments behind `console.log(…)` begin with. */
export function promisedLines(text: string): string[] {
  return [...text.matchAll(/^ *console\.log\(.*\) *\/\/ (\w+)/gm)].map(([, word]) => word!)
}

/** Whether a sample is a file of tests. */
export function isSuite(text: string): boolean {
  return /^ *test(\.\w+)?\(/m.test(text)
}

/** Compiles a sample in a project, as a user's TypeScript would: gives what the compiler has to say, nothing when all is well. */
export async function compile({ folder }: Project, file: string): Promise<string> {
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--lib',
    'es2023,dom,dom.iterable,esnext.disposable',
    '--types',
    'node',
    '--skipLibCheck',
  ]
  const { stdout, stderr } = await startProcess(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...options, file],
    { cwd: folder, env: toUserEnvironment() },
  ).ended
  return stdout + stderr
}

/** Runs a sample in a project: with Vitest where it is a file of tests, else with Node. */
export async function runCode({ folder }: Project, file: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const options = { cwd: folder, env: { ...toUserEnvironment(), ...env, NO_COLOR: '1' } }
  if (file.endsWith('.test.ts'))
    return startProcess(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', file, '--testTimeout', '150000'],
      options,
    ).ended
  const bundle = await rolldown({ input: join(folder, file), external: /^[^./]/, platform: 'node', logLevel: 'silent' })
  const script = basename(file).replace(/\.ts$/, '.mjs')
  await bundle.write({ file: join(folder, script), format: 'esm' })
  await bundle.close()
  return startProcess(process.execPath, [script], options).ended
}

/** Code without its comments and the white space between its words, to be compared. */
export function toPlainCode(text: string): string {
  return text
    .replace(/^\s*\/\*\*.*\*\/$/gm, '')
    .replace(/ +\/\/ .*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A file of the repository in this form. */
export function readPlainCode(file: string): string {
  return toPlainCode(readFileSync(join(root, file), 'utf8'))
}
