/** The largest default, also used if the machine's memory is unknown, in bytes. */
const maxDefault = 2 ** 29

/** Returns the default limit for data that requests write: 512 MiB, or an eighth of the machine's memory, whichever is less. */
export function defaultDataMemory(): number {
  return Math.min(maxDefault, Math.floor(memoryOfMachine() / 8))
}

/** Returns the memory of the machine or its container, in bytes. Only some browsers report it, and only roughly. */
function memoryOfMachine(): number {
  const { process, navigator } = globalThis as unknown as {
    process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule' | 'constrainedMemory'>>
    navigator?: { readonly deviceMemory?: number }
  }
  const os = process?.getBuiltinModule?.('node:os')
  if (!os) return (navigator?.deviceMemory ?? Infinity) * 2 ** 30
  // If the container has no memory limit, Node returns 0 or a huge number.
  return Math.min(os.totalmem(), process?.constrainedMemory?.() || Infinity)
}
