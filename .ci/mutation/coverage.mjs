import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digest, listTests, root } from './places.mjs'
import { runJobs } from './workers.mjs'

/** Runs each test file without a mutant, to record the mutants that it reaches. Reuses the record of unchanged files. */
export async function learnCoverage(options) {
  const known = listTests().map((file) => readKnown(file, options.folder))
  const jobs = known.filter(({ result }) => !result).map(({ file }) => ({ id: file, tests: [{ file, ms: 0 }] }))
  for (const result of await runJobs('coverage', jobs, options)) {
    const entry = known.find(({ file }) => file === result.id)
    entry.result = result
    if (!isGreen(result)) continue
    mkdirSync(dirname(entry.path), { recursive: true })
    writeFileSync(entry.path, JSON.stringify(result))
  }
  const results = known.map(({ result }) => result)
  return { green: results.filter(isGreen), red: results.filter((result) => !isGreen(result)) }
}

const isGreen = ({ before, message }) => before !== undefined && message === undefined

function readKnown(file, folder) {
  const path = join(folder, 'coverage', `${file}.${digest(readFileSync(join(root, file), 'utf8'))}.json`)
  try {
    return { file, path, result: JSON.parse(readFileSync(path, 'utf8')) }
  } catch {
    return { file, path }
  }
}
