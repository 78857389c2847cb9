import type { AssumptionRegistry } from '../core/contract/assumptions.ts'
import * as z from 'zod/mini'
import { checkOptions, expecting } from '../core/store/options.ts'
import { knownFilter } from '../core/text/messages.ts'
import type { AssumptionValues } from './generated/known-names.ts'
import type { AssumptionChoices, AssumptionId } from './names.ts'

/** The variants to list. All by default. */
export interface VariantQuery {
  /**
   * Lists variants of these assumptions only: an id, a glob such as `plants.*`, or a list of them.
   */
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
  /**
   * The id and the value, in the form that `createGreenhouse`, `world.assume` and `world.reset`
   * take.
   */
  readonly assumptions: { readonly [One in Id]: AssumptionValues[One] }
}

/** One assumption with a value other than the current one. */
export type Variant = { [Id in AssumptionId]: VariantOf<Id> }[AssumptionId]

const expectingPatterns = expecting(
  'the id of an assumption, a glob such as "plants.*", or a list of them',
)
const patterns = z.union(
  [z.string(), z.array(z.string()).check(z.minLength(1, expectingPatterns))],
  expectingPatterns,
)

/**
 * Returns each other value of each assumption. @param chosen values that replace the defaults.
 * @throws RangeError, TypeError
 */
export function listVariants(
  assumptionRegistry: AssumptionRegistry,
  chosen: AssumptionChoices = {},
  query: VariantQuery = {},
): Variant[] {
  checkOptions('greenhouse.variants', query, { only: patterns })
  const current = assumptionRegistry.resolve(chosen)
  const all = assumptionRegistry.list()
  const isSelected = knownFilter(
    'assumption',
    query.only ?? '*',
    all.map(({ id }) => id),
  )
  return all
    .filter(({ id }) => isSelected(id))
    .flatMap(({ id, values }) =>
      values
        .filter((value) => value !== current.get(id))
        .map(
          (value) =>
            ({
              title: `${id}=${value}`,
              id,
              value,
              assumptions: { [id]: value },
            }) as unknown as Variant,
        ),
    )
}
