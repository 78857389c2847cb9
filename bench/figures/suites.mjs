import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPeers } from '../peers/index.mjs'
import { runNode } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { toRow, toSkippedRow } from '../table.mjs'

const bench = fileURLToPath(new URL('..', import.meta.url))
const installed = { root: join(bench, '../node_modules'), peers: join(bench, 'peers/node_modules') }

/** How each runner runs the tests of a folder. */
const runners = {
  vitest: (suite) => [join(installed.root, 'vitest/vitest.mjs'), 'run', `${suite}/`],
  'node:test': (suite) => ['--test', `${suite}/1.test.cjs`],
  jest: (suite) => [join(installed.peers, 'jest/bin/jest.js'), '--config', jestConfig, `${suite}/`],
}

const jestConfig = JSON.stringify({ testMatch: ['**/*.test.cjs'], transform: {} })

/** Suites of `bench/suites`: ours beside one that a team writes by hand, in so many copies. */
const pairs = [
  { ours: 'by-vitest', theirs: 'own-msw', runner: 'vitest', files: 50, cost: 0.9, wall: 0.85 },
  { ours: 'by-msw', theirs: 'own-msw', runner: 'vitest', files: 50, cost: 1, wall: 1 },
  { ours: 'empty-world', theirs: 'empty-own', runner: 'vitest', files: 1, cost: 1.15 },
  { ours: 'with-world', theirs: 'own-express', runner: 'node:test', files: 1, wall: 1.1 },
  { ours: 'with-world', theirs: 'own-express', runner: 'jest', files: 1, wall: 1.1 },
]

/**
 * Time of whole runs of suites that use Greenhouse, beside the same tests with mocks that are
 * written by hand.
 */
export async function measure(context) {
  if (context.peers) await installPeers()
  const cwd = join(context.folder, 'suites')
  install(context, cwd)
  const rows = []
  for (const pair of pairs) {
    if (pair.runner !== 'vitest' && !context.peers) continue
    const suites = [pair.ours, pair.theirs]
    for (const suite of suites) copy(suite, pair.files, cwd)
    const run = (suite) => runNode(runners[pair.runner](suite), { cwd })
    const times = await inTurn(suites, context.quick ? 1 : 4, run)
    rows.push(...toRows(pair, times.get(pair.ours), times.get(pair.theirs)))
  }
  return { rows }
}

/** A project with this build and what the suites need beside it. */
function install({ dist, peers }, folder) {
  const modules = join(folder, 'node_modules')
  // It is measured anew on each Node.
  rmSync(folder, { recursive: true, force: true })
  cpSync(dist, join(modules, 'greenhouse-mock/dist'), { recursive: true })
  cpSync(join(bench, '../package.json'), join(modules, 'greenhouse-mock/package.json'))
  const link = (from, name) => symlinkSync(join(from, name), join(modules, name), 'junction')
  for (const name of ['vitest', 'msw']) link(installed.root, name)
  if (peers) link(installed.peers, 'express')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}

function copy(suite, files, folder) {
  const extension = ['with-world', 'own-express'].includes(suite) ? 'cjs' : 'mjs'
  mkdirSync(join(folder, suite), { recursive: true })
  for (const shared of ['plants.cjs', 'send-three.cjs'])
    cpSync(join(bench, 'suites', shared), join(folder, suite, shared))
  for (let file = 1; file <= files; file++)
    cpSync(
      join(bench, `suites/${suite}.${extension}`),
      join(folder, suite, `${file}.test.${extension}`),
    )
}

function toRows({ ours, theirs, runner, cost, wall }, ourTimes, theirTimes) {
  const toRowOf = (field, title, atMost) => {
    const figure = `suite ${ours} : ${theirs}, ${runner}, ${title}`
    const values = [ourTimes, theirTimes].map((times) => times.map((time) => time[field]))
    if (values.flat().some(Number.isNaN)) return toSkippedRow(figure, 'the system does not tell')
    return toRow(figure, ...values, { atMost }, ' s')
  }
  return [
    ...(cost ? [toRowOf('cost', 'processor time', cost)] : []),
    ...(wall ? [toRowOf('wall', 'wall', wall)] : []),
  ]
}
