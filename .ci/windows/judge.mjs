// Compares what failed under Wine with wine.json, which has the tests that Wine cannot run, by file
// and title, and why.
import { readFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const run = read(process.argv[2])
const listed = new Map(
  read(new URL('wine.json', import.meta.url)).flatMap(({ why, tests }) =>
    tests.map((name) => [name, why]),
  ),
)

const problems = []
const results = new Map()
const files = run.testResults.map(({ name, ...result }) => ({
  ...result,
  file: name.replaceAll('\\', '/').replace(/^.*\/checkout\//, ''),
}))
for (const { file, status, message, assertionResults } of files) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && failed.length === 0) problems.push(`${file}\n    ${message}`)
  for (const { fullName, status, failureMessages } of assertionResults) {
    const name = `${file} > ${fullName}`
    results.set(name, status)
    if (status === 'failed' && !listed.has(name))
      problems.push(`${name}\n    ${failureMessages[0]?.split('\n', 3).join('\n    ')}`)
  }
}

// A run of some folders says nothing of the others.
const ran = (name) => files.some(({ file }) => name.startsWith(`${file} > `))
const known = [...listed.keys()].filter(ran)
for (const name of known) {
  if (results.get(name) === undefined) problems.push(`Listed, but there is no such test: ${name}`)
  else if (results.get(name) !== 'failed')
    problems.push(`Listed, but ${results.get(name)}: ${name}`)
}

const failed = known.filter((name) => results.get(name) === 'failed').length
console.log(
  `${run.numPassedTests} passed, ${run.numPendingTests} skipped, ${failed} failed that wine.json lists, ${problems.length} problems, of ${run.numTotalTests} tests.`,
)
for (const one of problems) console.log(one)
process.exitCode = problems.length === 0 ? 0 : 1
