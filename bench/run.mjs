import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findNode, nodes } from '../.ci/programs.mjs'
import { stopAll, useNode } from './processes.mjs'
import { toFailure, toMissingRow, toTable } from './table.mjs'

const figures = [
  'throughput',
  'post',
  'scenarios',
  'log',
  'start',
  'msw',
  'suites',
  'scale',
  'large',
  'usage',
  'deliveries',
  'proxy',
  'worlds',
  'stop',
  'against',
]
/** What takes minutes or needs a program that few have, and is measured only when it is named. */
const long = ['soak', 'panel', 'scale-out']
const usage = `Usage: npm run bench -- [--only ${[...figures, ...long].join('|')}]… [--quick] [--no-peers] [--dist FOLDER] [--against FOLDER] [--node PATH|20,24,26] [--results FOLDER]`

const options = readOptions()
const programs = options.node.map((name) => (nodes.includes(name) ? findNode(name) : name))
const versions = programs.map((node) =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
)
const folder = mkdtempSync(join(tmpdir(), 'greenhouse-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

const context = {
  folder,
  quick: options.quick,
  peers: options.peers,
  dist: resolve(options.dist),
  against: options.against && resolve(options.against),
}
const rows = []
const notes = []
for (const name of options.only) {
  const seen = []
  for (const [index, node] of programs.entries()) {
    useNode(node)
    const where = programs.length > 1 ? `, Node ${versions[index]}` : ''
    console.error(`Measuring ${name}${where} …`)
    try {
      const { measure } = await import(`./figures/${name}.mjs`)
      const figure = await measure(context)
      seen.push(figure.rows.map((row) => ({ ...row, figure: row.figure + where })))
      notes.push(...(figure.notes ?? []).map((note) => note + where))
    } catch (error) {
      seen.push([toMissingRow(name + where, error)])
      console.error(error)
    } finally {
      await stopAll()
    }
  }
  // The same figure of each Node, one below the other.
  for (let row = 0; row < Math.max(...seen.map(({ length }) => length)); row++)
    rows.push(...seen.flatMap((ofNode) => ofNode.slice(row, row + 1)))
}

console.log(toTable(rows))
console.log(
  ['', `Node ${versions.join(', ')}, ${cpus().length} cores (${cpus()[0].model}).`, ...notes].join(
    '\n',
  ),
)
mkdirSync(options.results, { recursive: true })
writeFileSync(
  join(options.results, 'last.json'),
  JSON.stringify({ at: new Date().toISOString(), rows }, null, 2),
)
const failure = toFailure(rows)
if (failure) {
  console.error(failure)
  process.exitCode = 1
}

function readOptions() {
  try {
    const { values } = parseArgs({
      allowNegative: true,
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        peers: { type: 'boolean', default: true },
        dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
        against: { type: 'string' },
        node: { type: 'string', default: process.execPath },
        results: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
        help: { type: 'boolean', default: false },
      },
    })
    // Without another build there is nothing to hold this one against.
    values.only ??= figures.filter((name) => name !== 'against' || values.against)
    const unknown = values.only.find((name) => !figures.includes(name) && !long.includes(name))
    if (unknown) throw new Error(`There is no figure "${unknown}".`)
    const node = values.node.split(',')
    const strange = node.find((name) => /^\d+$/.test(name) && !nodes.includes(name))
    if (strange)
      throw new Error(
        `There is no Node ${strange} here, only ${nodes.join(', ')} and the paths of others.`,
      )
    if (!values.help) return { ...values, node }
    console.log(usage)
    process.exit(0)
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}
