import { contract } from './catalogue.ts'
import type { Operation } from '../core/pipeline/operation.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { malformationsOf } from '../scenarios/field-malformations.ts'
import type { Malformation as MalformationKind } from '../scenarios/malformation.ts'
import { fieldsOf, pointerOf } from '../scenarios/reply-fields.ts'

/** One way in which the reply of an operation can be wrong: `world.use(name, options)` switches it on. */
export interface Malformation {
  /** The scenario that does it. */
  readonly name: 'malformed-reply'
  /** The scenario's options: the operation's id, the field's JSON pointer (of lists the first item; `''` is the whole reply), and the kind. */
  readonly options: { readonly on: string; readonly at: string; readonly kind: MalformationKind }
  /** Whether the reply then breaks the contract's schema, at that field alone; else it is legal and merely odd. */
  readonly breaks: boolean
}

/**
 * Every way in which replies can be wrong, derived from the contract: of one operation, or of all. An operation without a
 * body in its reply has none. A reply that lacks what holds the field (an item of an empty list) stays as it is.
 * @throws RangeError when there is no such operation.
 */
export function malformations(operation?: string): Malformation[] {
  return (operation === undefined ? contract.operations : [find(operation)]).flatMap((one) =>
    fieldsOf(one).flatMap((field) =>
      malformationsOf(field).map(({ kind, breaks }): Malformation => ({
        name: 'malformed-reply',
        options: { on: one.id, at: pointerOf(field), kind },
        breaks,
      })),
    ),
  )
}

function find(id: string): Operation {
  const found = contract.operations.find((operation) => operation.id === id)
  if (found) return found
  throw new RangeError(
    `Failed to list malformations of "${id}": there is no such operation.${suggest(
      id,
      contract.operations.map((operation) => operation.id),
    )}`,
  )
}
