import { readFileSync } from 'node:fs'
import { startGreenhouse } from '../greenhouse.mjs'
import { startWorker } from '../processes.mjs'
import { toBoundRow } from '../table.mjs'

const seconds = 1_200
const step = 10

/** The heap of the flood, in MiB. */
const heapLimit = 1_024

/**
 * The heap of a process whose worlds write one after the other; and resident memory of a server
 * with 64 MiB of data, under 24 connections for twenty minutes: 20,000 world names, scenarios that
 * switch, webhooks whose receiver fails or never answers.
 */
export async function measure(context) {
  const flood = startWorker('flood.mjs', [`--max-old-space-size=${heapLimit}`])
  const { heap, worlds } = await flood.call('run', {
    dist: context.dist,
    count: context.quick ? 5_000 : 100_000,
  })
  await flood.stop()
  const server = await startGreenhouse(context.dist, '--memory', '64MiB')
  const worker = startWorker('soak.mjs')
  await worker.call('open', {})
  const length = context.quick ? 60 : seconds
  const samples = []
  const began = Date.now()
  const timer = setInterval(() => {
    const mib = residentOf(server.child.pid)
    samples.push({ second: Math.round((Date.now() - began) / 1_000), mib })
    console.error(`${samples.at(-1).second} s: ${mib} MiB`)
  }, step * 1_000)
  try {
    const { counts } = await Promise.race([
      worker.call('run', {
        port: server.port,
        connections: 24,
        milliseconds: length * 1_000,
        seed: 1,
      }),
      server.ended,
    ])
    if (!counts[200] || counts.failed) throw new Error(`requests failed: ${JSON.stringify(counts)}`)
    const late = samples.filter(({ second }) => second > 60).map(({ mib }) => mib)
    const largest = Math.max(...samples.map(({ mib }) => mib))
    const drift =
      late.length > 1
        ? `${late[0]} MiB after the first minute, ${late.at(-1)} at the end`
        : 'too short to tell'
    return {
      rows: [
        toBoundRow(
          'largest heap of 100,000 worlds that write, one after the other',
          [heap],
          { below: heapLimit },
          ' MiB',
        ),
        toBoundRow(
          'largest memory under a soak of 20,000 world names',
          [largest],
          { below: 700 },
          ' MiB',
        ),
      ],
      notes: [
        `Flood: ${worlds} worlds are left. Soak: ${length} s, ${drift}; replies by status ${JSON.stringify(counts)}.`,
      ],
    }
  } finally {
    clearInterval(timer)
  }
}

/** What a process holds in memory, in MiB. Linux only. */
function residentOf(pid) {
  return Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024,
  )
}
