import type { AssumptionRegistry } from '../core/contract/assumptions.ts'
import { checkOptions, type RulesFor } from '../core/contract/options.ts'
import { globFilter } from '../core/text/values.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import type { AssumptionValues } from './generated/known-names.ts'
import type { AssumptionChoices, AssumptionId } from './types/names.ts'

/** Which variants to list. All by default. */
export interface VariantQuery {
  /** Lists variants of these assumptions only: an id, a glob such as `plants.*`, or a list of them. */
  readonly only?: string | readonly string[] | undefined
}

/** One assumption with a value other than the current one. */
type VariantOf<Id extends AssumptionId> = {
  /** `plants.delete.unknown=204` */
  readonly title: string
  /** The assumption. */
  readonly id: Id
  /** The other value. */
  readonly value: AssumptionValues[Id]
  /** The id and the value, in the form that `createGreenhouse`, `world.assume` and `world.reset` take. */
  readonly assumptions: { readonly [One in Id]: AssumptionValues[One] }
}

/** One assumption with a value other than the current one. */
export type Variant = { [Id in AssumptionId]: VariantOf<Id> }[AssumptionId]

const patterns = {
  takes: 'the id of an assumption, a glob such as "plants.*", or a list of them',
  accepts: (value: unknown) =>
    typeof value === 'string' ||
    (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')),
}

/** Returns each other value of each assumption. @param chosen values that replace the defaults. @throws RangeError, TypeError */
export function listVariants(
  assumptionRegistry: AssumptionRegistry,
  chosen: AssumptionChoices = {},
  query: VariantQuery = {},
): Variant[] {
  checkOptions('greenhouse.variants', query, { only: patterns } satisfies RulesFor<VariantQuery>)
  const current = assumptionRegistry.resolve(chosen as Readonly<Record<string, string>>)
  const all = assumptionRegistry.list()
  const isSelected = toFilter(query.only, all)
  return all
    .filter(({ id }) => isSelected(id))
    .flatMap(({ id, values }) =>
      values
        .filter((value) => value !== current.get(id))
        .map((value) => ({ title: `${id}=${value}`, id, value, assumptions: { [id]: value } }) as unknown as Variant),
    )
}

/** Returns a predicate on assumption ids. @throws RangeError for a pattern without a match. */
function toFilter(only: VariantQuery['only'], all: readonly { readonly id: string }[]): (id: string) => boolean {
  if (only === undefined) return () => true
  const known = all.map(({ id }) => id)
  const globs = new Set(known.flatMap((id) => Array.from(id.matchAll(/\./g), ({ index }) => `${id.slice(0, index)}.*`)))
  for (const pattern of [only].flat())
    if (!known.some(globFilter(pattern)))
      throw new RangeError(
        describeProblem(`Found no assumption called ${quote(pattern)}`, pattern, [...known, ...globs]),
      )
  return globFilter([only].flat())
}
