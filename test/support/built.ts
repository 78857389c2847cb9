import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { canRun, executable } from '../browser/chromium.ts'

const script = fileURLToPath(new URL('../../build/build.mjs', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** Files that the tests of a run share, such as the packed package; deleted at the end. */
    readonly runFolder: string
  }
}

/** Builds `dist` once before the tests, and again before those that a watched file runs anew, if anything changed since. */
export default function setup(project: TestProject): () => void {
  build()
  const runFolder = mkdtempSync(join(tmpdir(), 'greenhouse-tests-'))
  project.provide('runFolder', runFolder)
  project.onTestsRerun(() => {
    build('--code')
    rmSync(join(runFolder, 'packed'), { recursive: true, force: true })
  })
  if (!canRun)
    console.warn(
      `Skipping the tests in a browser: there is no Chromium at ${executable}. Install it, or name it with CHROMIUM.`,
    )
  return () => rmSync(runFolder, { recursive: true, force: true })
}

/** @param words `--code` for a watch run: no more than what tests load, within two seconds. */
function build(...words: string[]): void {
  const { status, error } = spawnSync(process.execPath, [script, '--if-stale', ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0)
    throw new Error('Failed to build dist for the tests: what went wrong stands above.', { cause: error })
}
