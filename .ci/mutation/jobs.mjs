// The work of a run: each test file once without a mutant, to see which mutants it reaches, and
// each mutant with the tests that reach it, in processes that share the jobs.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { digest, listTests, root } from './mutants.mjs'

/**
 * Runs each test file without a mutant, to record the mutants that it reaches. Reuses the record of
 * unchanged files.
 */
export async function learnCoverage(options) {
  const known = listTests().map((file) => readKnown(file, options.folder))
  const jobs = known
    .filter(({ result }) => !result)
    .map(({ file }) => ({ id: file, tests: [{ file, ms: 0 }] }))
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
  const path = join(
    folder,
    'coverage',
    `${file}.${digest(readFileSync(join(root, file), 'utf8'))}.json`,
  )
  try {
    return { file, path, result: JSON.parse(readFileSync(path, 'utf8')) }
  } catch {
    return { file, path }
  }
}

/**
 * Returns the job of a mutant: the test files that reach it. First those that contain the changed
 * text, or compare what is written from all sentences and all declarations; then short ones that, by
 * their names and by the code that they run, are about its source file.
 */
export function orderTests({ id, file: source, mutator, original }, coverage) {
  const text = mutator === 'StringLiteral' ? original.slice(1, -1) : ''
  const near = new Set([...wordsOf(source)].flatMap((word) => [word, subjects[word] ?? word]))
  const name = basename(source, '.ts')
  const covering = coverage
    .filter(({ before, during }) => id in before || id in during)
    .map(({ file, ms, during, files }) => {
      const share = (files[source] ?? 0) / Math.max(1, Object.keys(during).length)
      const shared = [...wordsOf(file)].filter((word) => near.has(word)).length
      const cost =
        ms /
        (0.01 + share) /
        (id in during ? 5 : 1) /
        (8 ** shared * (textOf(file).includes(name) ? 4 : 1))
      return {
        file,
        ms: Math.round(ms),
        cost: isAbout(file, text) || isDocument(file, id in during) ? cost / 100 : cost,
      }
    })
    .sort((one, other) => one.cost - other.cost)
  const hits = Math.max(
    0,
    ...coverage.map(({ before, during }) => (before[id] ?? 0) + (during[id] ?? 0)),
  )
  const isStatic = covering.length > 0 && coverage.every(({ during }) => !(id in during))
  return {
    id,
    mutant: id,
    source,
    hits,
    isStatic,
    tests: covering.map(({ file, ms }) => ({ file, ms })),
  }
}

function isAbout(file, text) {
  if (text.includes(' ') && file.startsWith('test/docs/')) return true
  return text.length > 2 && textOf(file).includes(text)
}

/** What is evaluated as a module loads, such as a schema, is mostly in the document. */
function isDocument(file, isReachedLater) {
  return !isReachedLater && file === 'test/contract/document.test.ts'
}

/**
 * Returns the topics of a path: `core/journal/query-requests.ts` is about journal, query, request.
 */
function wordsOf(path) {
  const words = path.toLowerCase().split(/[^a-z]+/)
  return new Set(
    words
      .filter((word) => !['', 'ts', 'src', 'test', 'core'].includes(word))
      .map((word) => word.replace(/s$/, '')),
  )
}

/** The subject of the tests, where it has another name than the folder of the source. */
const subjects = {
  time: 'clock',
  account: 'key',
  validate: 'judging',
}

const texts = new Map()

function textOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(join(root, file), 'utf8'))
  return texts.get(file)
}

/** A process that writes nothing for this long hangs, in milliseconds. */
const silence = 90_000

/**
 * Runs jobs in processes that share them, and returns the results; starts a new process if one ends
 * or hangs.
 */
export async function runJobs(name, jobs, { folder, workers, budget, endsAt = Infinity }) {
  if (jobs.length === 0) return []
  const claims = join(folder, 'claims')
  rmSync(claims, { recursive: true, force: true })
  mkdirSync(claims, { recursive: true })
  const file = join(folder, `${name}-jobs.json`)
  const write = () => writeFileSync(file, JSON.stringify({ jobs }))
  write()
  const results = new Map()
  const claimOf = (id) => join(claims, id.replaceAll('/', '_'))
  const areLeft = () => Date.now() < endsAt && jobs.some(({ id }) => !existsSync(claimOf(id)))
  let started = 0

  const keepWorking = async () => {
    while (areLeft()) {
      const { messages, hangs } = await work({
        folder,
        budget,
        endsAt,
        jobs: file,
        results: join(folder, `${name}-${started++}.jsonl`),
      })
      let current
      for (const message of messages) {
        if (message.start) current = message.start
        else if (message.id) {
          results.set(message.id, message)
          current = undefined
        } else if (message.revoked) {
          console.log(
            `A mutant leaves something behind; runs ${message.revoked.length} again, alone.`,
          )
          for (const job of jobs) if (message.revoked.includes(job.id)) job.alone = true
          write()
          for (const id of message.revoked) {
            results.delete(id)
            rmSync(claimOf(id), { force: true })
          }
        }
      }
      if (current === undefined) {
        if (messages.length === 0 && areLeft())
          throw new Error(`A worker did nothing: see ${folder}/${name}-*.log.`)
      } else if (Date.now() >= endsAt) rmSync(claimOf(current), { force: true })
      else
        results.set(current, {
          id: current,
          status: 'timeout',
          ran: 0,
          message: hangs ? 'hangs' : 'ends the process',
        })
    }
  }
  await Promise.all(Array.from({ length: workers }, keepWorking))
  return [...results.values()]
}

/**
 * @returns the messages of a process until it ended, or was killed because it hung or its time was
 * up
 */
async function work({ folder, budget, endsAt, jobs, results }) {
  writeFileSync(results, '')
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(root, '.ci/mutation/vitest.config.ts'),
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        TEST_TARGET: 'src',
        CI: 'true',
        NO_COLOR: '1',
        MUTATION_FOLDER: folder,
        MUTATION_BUDGET: budget,
        MUTATION_JOBS: jobs,
        MUTATION_RESULTS: results,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)))
  let size = 0
  let seenAt = Date.now()
  let hangs = false
  const watch = setInterval(() => {
    const now = readFileSync(results).length
    if (now !== size) [size, seenAt] = [now, Date.now()]
    hangs = Date.now() - seenAt > silence
    if (hangs || Date.now() > endsAt) process.kill(-child.pid, 'SIGKILL')
  }, 1_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  writeFileSync(results.replace('.jsonl', '.log'), output)
  const messages = readFileSync(results, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line))
  return { messages, hangs }
}
