export type AssumptionListener = (id: string) => void

type Values = ReadonlyMap<string, string>

class WatchedValues extends Map<string, string> {
  readonly listener: AssumptionListener
  /** The ids whose values were replaced; reads of these are not reported. */
  readonly replaced: ReadonlySet<string>

  constructor(
    values: Iterable<readonly [string, string]>,
    listener: AssumptionListener,
    replaced: ReadonlySet<string> = new Set(),
  ) {
    super(values)
    this.listener = listener
    this.replaced = replaced
  }

  override get(id: string): string | undefined {
    if (!this.replaced.has(id)) this.listener(id)
    return super.get(id)
  }

  override [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }

  override entries(): MapIterator<[string, string]> {
    this.#readAll()
    return super.entries()
  }

  override values(): MapIterator<string> {
    this.#readAll()
    return super.values()
  }

  override forEach(callback: (value: string, id: string, map: Map<string, string>) => void): void {
    for (const [id, value] of this.entries()) callback(value, id, this)
  }

  #readAll(): void {
    for (const id of this.keys()) this.get(id)
  }
}

/** Returns a copy of the values that reports each read to `listener`. So do the copies that `withChoices` makes of it. */
export function watchValues(values: Values, listener: AssumptionListener): Values {
  return new WatchedValues(values, listener)
}

export function withChoices(values: Values, choices: Iterable<readonly [string, string]>): Values {
  const over = new Map(choices)
  const all = [...Map.prototype.entries.call(values), ...over] as [string, string][]
  return values instanceof WatchedValues
    ? new WatchedValues(all, values.listener, new Set([...values.replaced, ...over.keys()]))
    : new Map(all)
}
