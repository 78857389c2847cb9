/** Makes the job of a mutant: the test files that come across it, and first those that are short and about its source file. */
export function orderTests({ id, file: source }, coverage) {
  const covering = coverage
    .filter(({ before, during }) => id in before || id in during)
    .map(({ file, ms, during, files }) => {
      const all = Object.keys(during).length
      const share = all === 0 ? 0 : (files[source] ?? 0) / all
      return { file, ms: Math.round(ms), cost: (ms / (0.01 + share)) * (id in during ? 1 : 5) }
    })
    .sort((one, other) => one.cost - other.cost)
  const hits = Math.max(0, ...coverage.map(({ before, during }) => (before[id] ?? 0) + (during[id] ?? 0)))
  const isStatic = covering.length > 0 && coverage.every(({ during }) => !(id in during))
  return { id, mutant: id, source, hits, isStatic, tests: covering.map(({ file, ms }) => ({ file, ms })) }
}
