import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache, folders, home } from './places.mjs'

const goals = { all: 90, core: 95 }

/** Returns the reasons why mutants are equivalent (change no visible behaviour), by key. */
export const readReasons = () => JSON.parse(readFileSync(join(home, 'equivalent.json'), 'utf8'))

/** Returns the results of the last run, by the mutants' keys. */
export function readReport() {
  return new Map(JSON.parse(readFileSync(join(cache, 'report.json'), 'utf8')).mutants.map((row) => [row.key, row]))
}

/** Prints the results and writes them to report.json; returns whether the goals are met. */
export function report({ sample, jobs, results, before, reasons, minutes, seed }) {
  const resultOf = new Map(results.map((result) => [result.id, result]))
  // If time ran out, scores the sample's first part only: mutants without tests are known for all of it, and would lower the score.
  const reached = sample.findLastIndex(({ id, key }) => resultOf.has(id) || before.get(key)?.ran !== undefined) + 1
  const rows = sample.slice(0, reached).flatMap((mutant) => {
    const { tests, isStatic } = jobs.get(mutant.id)
    const found =
      mutant.key in reasons
        ? { status: 'equivalent', reason: reasons[mutant.key] }
        : tests.length === 0
          ? { status: 'no coverage' }
          : (resultOf.get(mutant.id) ?? before.get(mutant.key))
    return found ? [{ ...found, ...mutant, isStatic, covering: tests.length }] : []
  })
  for (const { file, line, mutator, original, replacement, status, cut, covering, ran, key } of rows)
    if (status === 'survived' || status === 'no coverage')
      console.log(
        `${status}${cut ? ` (${ran} of ${covering} test files)` : ''}: ${file}:${line} ${mutator}\n  - ${shorten(original)}\n  + ${shorten(replacement)}\n  ${key}`,
      )
  const scores = Object.fromEntries(['all', ...folders].map((folder) => [folder, score(rows, folder)]))
  console.table(scores)
  console.log(`${rows.length} of ${sample.length} mutants in ${minutes} min, seed ${seed}.`)
  writeFileSync(join(cache, 'report.json'), JSON.stringify({ seed, minutes, scores, mutants: rows }, null, 2))
  return Object.entries(goals).every(([folder, goal]) => !(scores[folder].score < goal))
}

/** Counts results; the score is the share of mutants that a test kills, without equivalent mutants. */
function score(rows, folder) {
  const own = rows.filter((row) => folder === 'all' || row.folder === folder)
  const count = (...statuses) => own.filter(({ status }) => statuses.includes(status)).length
  const killed = count('killed', 'timeout')
  return {
    mutants: own.length,
    killed: count('killed'),
    timeout: count('timeout'),
    survived: count('survived'),
    'no coverage': count('no coverage'),
    equivalent: count('equivalent'),
    static: own.filter(({ isStatic }) => isStatic).length,
    score: Math.round((killed / (own.length - count('equivalent'))) * 1_000) / 10,
  }
}

const shorten = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 160)
