/**
 * Bundlers give pages a `process` too, and Jest shows modules a copy, whose fakes Node does not
 * use.
 */
export function findNode(): NodeJS.Process | undefined {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  return process?.getBuiltinModule?.('node:process')
}

/** Other globals do not show a page: Node has `navigator`, `localStorage` and more. */
export function findPage(): Window | undefined {
  const { document } = globalThis as { document?: Document }
  // Vitest replaces the document's own `defaultView` by its globals, where Node's storages hide
  // those of jsdom.
  return (
    document && (Reflect.get(Object.getPrototypeOf(document), 'defaultView', document) ?? undefined)
  )
}
