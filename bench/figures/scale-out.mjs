import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchOnce, ownFixtures, startGreenhouse, toKeyRequest } from '../greenhouse.mjs'
import { toRequest } from '../http-message.mjs'
import { path } from '../lists.mjs'
import { processorTimeOf, startOnPort } from '../processes.mjs'
import { inTurn, startLoad } from '../rounds.mjs'
import { median } from '../statistics.mjs'
import { toRow } from '../table.mjs'

/** The worlds that are asked in turn. */
const worlds = Array.from({ length: 64 }, (_, place) => `w${place}`)
const requests = worlds.map((world) => toKeyRequest('GET', `/~${world}${path}`, 'key_pro_plus'))

const example = fileURLToPath(new URL('../../examples/scale-out/haproxy.cfg', import.meta.url))

/**
 * Replies per second of 64 worlds in 1, 2 and 4 processes behind HAProxy, beside one process that
 * is asked itself.
 */
export async function measure(context) {
  const load = startLoad()
  const alone = await startAlone(context)
  const contenders = [alone]
  for (const members of [1, 2, 4]) contenders.push(await startBehind(context, members))
  for (const one of contenders) {
    for (const request of requests) await fetchOnce(one.port, request)
    await load.warmUp(one)
  }
  const results = await inTurn(contenders, context.quick ? 3 : 9, async (one) => {
    const before = one.programs.map(processorTimeOf)
    const { perSecond } = await load.measure(one, context.quick ? 800 : 2_000)
    // The settling before counts too, at the same rate.
    const replies = perSecond * ((context.quick ? 800 : 2_000) + 400) * 1e-3
    const spent = one.programs.map(
      (child, place) => (processorTimeOf(child) - before[place]) / replies,
    )
    return {
      perSecond,
      server: spent.slice(one.proxies).reduce((sum, one) => sum + one, 0),
      proxy: one.proxies ? spent[0] : 0,
    }
  })
  const rates = (one) => results.get(one).map(({ perSecond }) => perSecond)
  const cost = (one, what) => median(results.get(one).map((round) => round[what])).toFixed(1)
  await Promise.all([load, ...contenders].map((program) => program.stop()))
  return {
    rows: contenders.slice(1).map((one) => ({
      ...toRow(
        `GET 20 plants, ${one.title} : one process without a proxy`,
        rates(one),
        rates(alone),
        undefined,
        '/s',
      ),
      cost: `${cost(one, 'server')} µs and HAProxy ${cost(one, 'proxy')} µs : ${cost(alone, 'server')} µs`,
    })),
    notes: [
      'Scale-out: the load generator, HAProxy and all processes share the cores of this machine.',
    ],
  }
}

async function startAlone({ dist }) {
  const { child, port, stop } = await startGreenhouse(dist, '--fixtures', ownFixtures)
  return { port, requests, programs: [child], proxies: 0, child, stop }
}

async function startBehind({ dist, folder }, members) {
  const own = join(folder, `haproxy-${members}`)
  mkdirSync(own)
  const processes = []
  for (let place = 0; place < members; place++)
    processes.push(await startGreenhouse(dist, '--fixtures', ownFixtures))
  const write = (port) => {
    const file = join(own, 'haproxy.cfg')
    const text = readFileSync(example, 'utf8')
      .replace('mod(4)', `mod(${members})`)
      .replace(/^backend greenhouse-(\d)\n.*\n/gm, (backend, number) =>
        number > members ? '' : backend,
      )
      .replace(
        /127\.0\.0\.1:401(\d)/g,
        (_, number) => `127.0.0.1:${number === '0' ? port : processes[number - 1].port}`,
      )
    writeFileSync(file, text)
    return ['-db', '-f', file]
  }
  const proxy = await startOnPort('haproxy', write, toRequest('GET', '/__greenhouse/health'), {
    cwd: own,
  })
  const all = [proxy, ...processes]
  return {
    title: `HAProxy and ${members}`,
    port: proxy.port,
    requests,
    child: proxy.child,
    programs: all.map(({ child }) => child),
    proxies: 1,
    stop: () => Promise.all(all.map((one) => one.stop())),
  }
}
