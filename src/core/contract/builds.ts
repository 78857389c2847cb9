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
