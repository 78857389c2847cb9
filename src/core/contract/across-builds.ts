/**
 * Returns the key of a value that all builds of the package in one realm share: `import` and
 * `require` each load their own build.
 */
const keyOf = (name: string) => Symbol.for(`greenhouse-mock.${name}`)

export function sharedByBuilds<T>(name: string, make: () => T): T {
  const shared = globalThis as unknown as Record<symbol, T | undefined>
  return (shared[keyOf(name)] ??= make())
}

/**
 * Lets `instanceof` accept instances of another build's class. @param Class one without subclasses.
 */
export function recognizeAcrossBuilds(
  Class: abstract new (...values: never) => object,
  name: string,
): void {
  const brand = keyOf(name)
  Object.defineProperty(Class.prototype, brand, { value: true })
  Object.defineProperty(Class, Symbol.hasInstance, {
    value: (value: unknown) => typeof value === 'object' && value !== null && brand in value,
  })
}

/** A listener may be added twice. Returns a function that removes it. */
export function addListener<T>(
  listeners: Set<(value: T) => void>,
  listener: (value: T) => void,
): () => void {
  const own = (value: T) => listener(value)
  listeners.add(own)
  return () => void listeners.delete(own)
}

export function cached<K, V>(cache: Map<K, V>, max: number, key: K, compute: (key: K) => V): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = compute(key)
    if (cache.size >= max) cache.clear()
    cache.set(key, value)
  }
  return value
}

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
