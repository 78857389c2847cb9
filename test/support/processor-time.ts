import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The processor time that a file took, in seconds, with that of its child processes that have
     * ended.
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
 * Returns the processor time of this process and its ended children, in seconds. Only Linux reports
 * the children's.
 */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + ofChildren()
}

function ofChildren(): number {
  if (process.platform !== 'linux') return 0
  // The fields after the name, which may have spaces: cutime and cstime are the 16th and 17th of
  // all, in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
