import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { home, root } from './places.mjs'

/** A process that writes nothing for this long hangs, in milliseconds. */
const silence = 90_000

/** Runs jobs in processes that share them, and returns the results; starts a new process if one ends or hangs. */
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
          console.log(`A mutant leaves something behind; runs ${message.revoked.length} again, alone.`)
          for (const job of jobs) if (message.revoked.includes(job.id)) job.alone = true
          write()
          for (const id of message.revoked) {
            results.delete(id)
            rmSync(claimOf(id), { force: true })
          }
        }
      }
      if (current === undefined) {
        if (messages.length === 0 && areLeft()) throw new Error(`A worker did nothing: see ${folder}/${name}-*.log.`)
      } else if (Date.now() >= endsAt) rmSync(claimOf(current), { force: true })
      else
        results.set(current, { id: current, status: 'timeout', ran: 0, message: hangs ? 'hangs' : 'ends the process' })
    }
  }
  await Promise.all(Array.from({ length: workers }, keepWorking))
  return [...results.values()]
}

/** @returns the messages of a process until it ended, or was killed because it hung or its time was up */
async function work({ folder, budget, endsAt, jobs, results }) {
  writeFileSync(results, '')
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(home, 'vitest.config.ts')],
    {
      cwd: root,
      env: {
        ...process.env,
        GREENHOUSE_TEST: 'src',
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
