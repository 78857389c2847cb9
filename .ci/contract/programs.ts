import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

const toProgram = (path: string) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))

/** Creates a folder; deletes it when the test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-contract-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the program of a package. @param path below `node_modules` */
export async function runProgram(path: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [toProgram(path), ...args], { cwd, timeout: 120_000 })
  return stdout
}

/** Runs a command of a package, such as `orval --config x`. */
export async function runCommand(command: string, cwd: string): Promise<void> {
  const [program, ...args] = command.split(' ')
  await promisify(execFile)(toProgram(`.bin/${program}`), args, { cwd, timeout: 120_000 })
}

/** Starts Prism with a document, until the test ends. @returns its URL */
export async function startPrism(document: object, command: 'mock' | 'proxy', upstream: readonly string[] = []) {
  const file = join(makeFolder(), 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const port = await freePort()
  const program = toProgram('@stoplight/prism-cli/dist/index.js')
  const prism = spawn(process.execPath, [program, command, file, ...upstream, '--port', String(port)], {
    stdio: 'pipe',
  })
  prism.stdout.resume()
  prism.stderr.resume()
  onTestFinished(async () => {
    if (prism.kill()) await once(prism, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 60_000 }).toBe(true)
  return url
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
