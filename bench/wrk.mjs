import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { startBareAs } from './greenhouse.mjs'
import { path, startPlain } from './lists.mjs'
import { processorTimeOf, start } from './processes.mjs'
import { inTurn } from './rounds.mjs'
import { toServerRow, toSkippedRow } from './table.mjs'

/**
 * The plain list again, with `wrk` as the load generator: a row that says so where it is not
 * installed.
 */
export async function measureWithWrk(context, name) {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
  } catch (error) {
    // Told its version, wrk ends with 1.
    if (error.code === 'ENOENT') return toSkippedRow(name, 'there is no "wrk" on the path')
  }
  const ours = await startPlain(context.dist)
  const bare = await startBareAs(context, 'wrk', ours)
  for (const server of [ours, bare]) await load(server, 4)
  const results = await inTurn([ours, bare], context.quick ? 2 : 7, async (server) => {
    await load(server, 1)
    return load(server, 2)
  })
  await Promise.all([ours.stop(), bare.stop()])
  return toServerRow(name, results.get(ours), results.get(bare), { atLeast: 0.9 })
}

async function load({ port, child }, seconds) {
  const before = processorTimeOf(child)
  const url = `http://127.0.0.1:${port}${path}`
  const header = 'Authorization: Bearer key_pro_plus'
  const wrk = start('wrk', ['-t1', '-c32', `-d${seconds}s`, '-H', header, url])
  let output = ''
  wrk.child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await once(wrk.child, 'close')
  if (/Non-2xx|Socket errors/.test(output))
    throw new Error(`wrk had other replies than 200: ${output}`)
  const replies = Number(/(\d+) requests in/.exec(output)?.[1])
  const perSecond = Number(/Requests\/sec:\s*([\d.]+)/.exec(output)?.[1])
  if (!(replies > 0 && perSecond > 0)) throw new Error(`wrk printed no figures: ${output}`)
  const after = processorTimeOf(child)
  return { perSecond, cost: before === undefined ? NaN : (after - before) / replies }
}
