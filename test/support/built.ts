import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { canRun, executable } from '../browser/chromium.ts'

const pathOf = (script: string) => fileURLToPath(new URL(`../../build/${script}`, import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** Files that the tests of a run share, such as the packed package; deleted at the end. */
    readonly runFolder: string
  }
}

/**
 * Builds `dist` once before the tests, and again before those that a watched file runs anew, if
 * anything changed since. Tests of the source build nothing: those of them that start a process see
 * the last build.
 */
export default function setup(project: TestProject): () => void {
  const testsSource = process.env['TEST_TARGET'] === 'src'
  if (!testsSource) build()
  const runFolder = mkdtempSync(join(tmpdir(), 'greenhouse-tests-'))
  project.provide('runFolder', runFolder)
  // Its first build runs beside the first tests.
  const builder =
    project.config.watch && !testsSource
      ? fork(pathOf('builder.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      : undefined
  project.onTestsRerun(async () => {
    if (builder) await buildCode(builder)
    rmSync(join(runFolder, 'packed'), { recursive: true, force: true })
  })
  if (!canRun)
    console.warn(
      `Skipping the tests in a browser: there is no Chromium at ${executable}. Install it, or name it with CHROMIUM.`,
    )
  return () => {
    builder?.disconnect()
    rmSync(runFolder, { recursive: true, force: true })
  }
}

function build(): void {
  const { status, error } = spawnSync(process.execPath, [pathOf('build.mjs'), '--if-stale'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0)
    throw new Error('Failed to build dist for the tests: what went wrong stands above.', {
      cause: error,
    })
}

/** Builds no more than what tests load, within two seconds. */
async function buildCode(builder: ChildProcess): Promise<void> {
  builder.send('build')
  const ended = once(builder, 'exit').then(() => [{ message: 'the process that builds it ended.' }])
  const [{ message }] = (await Promise.race([once(builder, 'message'), ended])) as [
    { readonly message?: string },
  ]
  if (message !== undefined) throw new Error(`Failed to build dist for the tests: ${message}`)
}
