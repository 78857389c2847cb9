/** What a machine that tells nothing of its memory may spend, and the most that any one does. */
const most = 2 ** 29

/** How much data requests may write where nobody said: 512 MiB, or an eighth of the machine's memory, whichever is less. */
export function defaultDataMemory(): number {
  return Math.min(most, Math.floor(memoryOfMachine() / 8))
}

/** In bytes, or of the container in which it runs. A page is told at most roughly, and only by some browsers. */
function memoryOfMachine(): number {
  const { process, navigator } = globalThis as unknown as {
    process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule' | 'constrainedMemory'>>
    navigator?: { readonly deviceMemory?: number }
  }
  const os = process?.getBuiltinModule?.('node:os')
  if (!os) return (navigator?.deviceMemory ?? Infinity) * 2 ** 30
  // Node gives 0, or more than any machine has, where there is no such limit.
  return Math.min(os.totalmem(), process?.constrainedMemory?.() || Infinity)
}
