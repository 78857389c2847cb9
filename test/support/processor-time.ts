import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The processor time that a file took, in seconds, with that of its child processes: commands,
     * and the browser.
     */
    processorTime?: number
  }
}

// Vitest loads this again before each file.
const before = processorTime()

// oxlint-disable-next-line no-empty-pattern -- Vitest takes no other first parameter.
afterAll(({}, { file }) => {
  file.meta.processorTime = processorTime() - before
})

/**
 * Returns the processor time of this process and all that it has started, in seconds. Only Linux
 * reports the others'.
 */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + ofOthers()
}

/** That of processes that have ended is part of the figures of the one that started them. */
function ofOthers(): number {
  if (process.platform !== 'linux') return 0
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readTimes(name) : []))
  const started = new Set([process.pid])
  let ticks = 0
  // A process is listed after the one that started it, but for numbers that begin again.
  for (const { id, parent, own, ended } of all.sort((one, other) => one.id - other.id)) {
    if (started.has(parent)) started.add(id)
    if (started.has(id)) ticks += id === process.pid ? ended : own + ended
  }
  return ticks / 100
}

/** Nothing, if it ends meanwhile. Times are in hundredths of a second. */
function readTimes(name: string) {
  try {
    // The fields after the name, which may have spaces, from the third of all.
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = fields as number[]
    return [
      { id: Number(name), parent: parent!, own: user! + system!, ended: endedUser! + endedSystem! },
    ]
  } catch {
    return []
  }
}
