import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** The bytes of the heap that are in use after a collection. */
export function used() {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}
