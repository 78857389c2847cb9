import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './places.mjs'

/**
 * Returns the job of a mutant: the test files that reach it. First those that contain the changed text; then short ones
 * that, by their names and by the code that they run, are about its source file.
 */
export function orderTests({ id, file: source, mutator, original }, coverage) {
  const text = mutator === 'StringLiteral' ? original.slice(1, -1) : ''
  const near = wordsOf(source)
  const name = basename(source, '.ts')
  const covering = coverage
    .filter(({ before, during }) => id in before || id in during)
    .map(({ file, ms, during, files }) => {
      const share = (files[source] ?? 0) / Math.max(1, Object.keys(during).length)
      const shared = [...wordsOf(file)].filter((word) => near.has(word)).length
      const cost = ms / (0.01 + share) / (id in during ? 5 : 1) / (8 ** shared * (textOf(file).includes(name) ? 4 : 1))
      return { file, ms: Math.round(ms), cost: text.length > 2 && textOf(file).includes(text) ? cost / 100 : cost }
    })
    .sort((one, other) => one.cost - other.cost)
  const hits = Math.max(0, ...coverage.map(({ before, during }) => (before[id] ?? 0) + (during[id] ?? 0)))
  const isStatic = covering.length > 0 && coverage.every(({ during }) => !(id in during))
  return { id, mutant: id, source, hits, isStatic, tests: covering.map(({ file, ms }) => ({ file, ms })) }
}

/** Returns the topics of a path: `core/journal/query-requests.ts` is about journal, query, request. */
function wordsOf(path) {
  const words = path.toLowerCase().split(/[^a-z]+/)
  return new Set(
    words.filter((word) => !['', 'ts', 'src', 'test', 'core'].includes(word)).map((word) => word.replace(/s$/, '')),
  )
}

const texts = new Map()

function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
  return texts.get(file)
}
