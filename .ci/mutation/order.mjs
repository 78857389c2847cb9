import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './places.mjs'

/**
 * Makes the job of a mutant: the test files that come across it. First those that hold the text that is changed; then those that
 * are short, and about its source file.
 */
export function orderTests({ id, file: source, mutator, original }, coverage) {
  const text = mutator === 'StringLiteral' ? original.slice(1, -1) : ''
  const covering = coverage
    .filter(({ before, during }) => id in before || id in during)
    .map(({ file, ms, during, files }) => {
      const share = (files[source] ?? 0) / Math.max(1, Object.keys(during).length)
      const isNear = file.split('/').some((part) => source.split('/').includes(part))
      const cost = (ms / (0.01 + share)) * (id in during ? 1 : 5) * (isNear ? 1 : 3)
      return { file, ms: Math.round(ms), cost: text.length > 2 && textOf(file).includes(text) ? cost / 100 : cost }
    })
    .sort((one, other) => one.cost - other.cost)
  const hits = Math.max(0, ...coverage.map(({ before, during }) => (before[id] ?? 0) + (during[id] ?? 0)))
  const isStatic = covering.length > 0 && coverage.every(({ during }) => !(id in during))
  return { id, mutant: id, source, hits, isStatic, tests: covering.map(({ file, ms }) => ({ file, ms })) }
}

const texts = new Map()

function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
  return texts.get(file)
}
