import { findNode } from '../../core/definitions/host.ts'

/** The largest default, also used if the machine's memory is unknown, in bytes. */
const maxDefault = 2 ** 29

export function defaultDataMemory(): number {
  return Math.min(maxDefault, Math.floor(memoryOfMachine() / 8))
}

/** Returns the memory of the machine or its container, in bytes. Only some browsers report it, and only roughly. */
function memoryOfMachine(): number {
  const node = findNode()
  const { navigator } = globalThis as { navigator?: { readonly deviceMemory?: number } }
  if (!node) return (navigator?.deviceMemory ?? Infinity) * 2 ** 30
  // If the container has no memory limit, Node returns 0 or a huge number.
  return Math.min(node.getBuiltinModule('node:os').totalmem(), node.constrainedMemory() || Infinity)
}
