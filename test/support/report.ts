import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../node_modules/.cache/greenhouse/reports/', import.meta.url)

/** Writes what a test counted where `.ci/run` prints it: a run of the tests is quiet. */
export function report(name: string, text: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileURLToPath(new URL(`${name}.txt`, folder)), text + '\n')
}
