// Compares what failed under Wine with wine.json, which has for each file the tests that Wine cannot run, and why.
import { readFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const run = read(process.argv[2])
const known = read(new URL('wine.json', import.meta.url)).flatMap(({ why, file, tests }) =>
  tests.map((title) => ({ why, file, title })),
)
const isKnown = (file, title) => known.some((one) => one.file === file && (one.title === '*' || one.title === title))

const unexpected = []
let excused = 0
for (const { name, status, message, assertionResults } of run.testResults) {
  const file = name.replaceAll('\\', '/').replace(/^.*\/checkout\//, '')
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && failed.length === 0) unexpected.push(`${file}\n    ${message}`)
  for (const { title, failureMessages } of failed)
    if (isKnown(file, title)) excused++
    else unexpected.push(`${file} > ${title}\n    ${failureMessages[0]?.split('\n', 3).join('\n    ')}`)
}
console.log(
  `${run.numPassedTests} passed, ${run.numPendingTests} skipped, ${excused} failed that Wine cannot run, ${unexpected.length} failed otherwise.`,
)
for (const one of unexpected) console.log(one)
process.exitCode = unexpected.length === 0 ? 0 : 1
