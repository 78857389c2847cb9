import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes in use, garbage collected so many times: what has a finalizer goes with a later one. */
export function heapInUse(rounds = 4): number {
  for (let round = 0; round < rounds; round++) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
