/** The value of each assumption, by id. */
export type AssumptionMap = ReadonlyMap<string, string>

/** Is told the id of an assumption each time that its value is read. */
export type AssumptionListener = (id: string) => void

/** Values that tell who watches each time that one of them is read, whoever reads it: a request, a timer, a delivery. */
class ObservedValues extends Map<string, string> {
  readonly listener: AssumptionListener

  constructor(values: Iterable<readonly [string, string]>, listener: AssumptionListener) {
    super(values)
    this.listener = listener
  }

  override get(id: string): string | undefined {
    this.listener(id)
    return super.get(id)
  }

  override [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }

  override entries(): MapIterator<[string, string]> {
    for (const id of this.keys()) this.listener(id)
    return super.entries()
  }

  override values(): MapIterator<string> {
    for (const id of this.keys()) this.listener(id)
    return super.values()
  }

  override forEach(callback: (value: string, id: string, map: Map<string, string>) => void): void {
    for (const [id, value] of this.entries()) callback(value, id, this)
  }
}

/** The same values, and `listener` is told of each that is read, from copies of them too. */
export function observeValues(values: AssumptionMap, listener: AssumptionListener): AssumptionMap {
  return new ObservedValues(values, listener)
}

/** A copy with `choices` over the values. Making it counts as reading none of them; whoever watches the values watches the copy. */
export function withChoices(values: AssumptionMap, choices: Iterable<readonly [string, string]>): Map<string, string> {
  const copy =
    values instanceof ObservedValues
      ? new ObservedValues(Map.prototype.entries.call(values), values.listener)
      : new Map(values)
  for (const [id, value] of choices) copy.set(id, value)
  return copy
}

/** Whether an assumption has the same value in both, which counts as reading neither. */
export function hasSameValue(one: AssumptionMap, other: AssumptionMap, id: string): boolean {
  return Map.prototype.get.call(one, id) === Map.prototype.get.call(other, id)
}
