import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { writeFolder } from '../../test/support/folder.ts'
import { findFreePort } from '../../test/support/free-port.ts'
import { command, startProcess } from '../../test/support/process.ts'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Creates a folder in which the packages are installed; deletes it when the test ends. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const folder = writeFolder(files)
  symlinkSync(modules, join(folder, 'node_modules'), 'junction')
  return folder
}

/** Runs a program to its end, and returns what it prints. @throws when it fails */
export async function run(
  program: string,
  args: readonly string[],
  cwd?: string,
  env?: NodeJS.ProcessEnv,
) {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 2 ** 26 }
  return (await promisify(execFile)(program, args, options)).stdout
}

/** Runs a command of a package, such as `orval --config x`. */
export function runCommand(words: string, cwd: string): Promise<string> {
  const [program, ...args] = words.split(' ')
  return run(join(modules, '.bin', program!), args, cwd)
}

/** Returns the OpenAPI document that the built command writes. */
export function printOpenApi(...flags: readonly string[]): Promise<string> {
  return run(process.execPath, [command, 'openapi', ...flags])
}

/** Compiles the files of a project in strict mode. */
export async function checkTypes(folder: string, include = ['.']): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../../node_modules/@types', import.meta.url))],
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: false,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  await runCommand(`tsc --project ${folder}`, folder).catch((error: { stdout: string }) => {
    throw new Error(`What was generated does not compile:\n${error.stdout}`)
  })
}

/**
 * Starts a server of a package until the test ends. @param path that of its program @returns its
 * URL, once it answers
 */
export async function startServer(path: string, args: readonly string[]): Promise<string> {
  const port = String(await findFreePort())
  startProcess(process.execPath, [join(modules, path), ...args, '--port', port])
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 60_000 }).toBe(true)
  return url
}

export function startPrism(
  document: object,
  mode: 'mock' | 'proxy',
  upstream: readonly string[] = [],
) {
  const file = join(writeFolder({ 'openapi.json': JSON.stringify(document) }), 'openapi.json')
  return startServer('@stoplight/prism-cli/dist/index.js', [mode, file, ...upstream])
}

/** Starts json-server with these records. */
export function startJsonServer(records: object) {
  const file = join(writeFolder({ 'db.json': JSON.stringify(records) }), 'db.json')
  return startServer('json-server/lib/cli/bin.js', ['--quiet', '--host', '127.0.0.1', file])
}
