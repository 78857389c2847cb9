import { contract } from './catalogue.ts'
import type { Operation } from '../core/pipeline/operation.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { OperationId } from './known-names.ts'
import { malformationsOf } from '../scenarios/field-malformations.ts'
import { fieldsOf, pointerOf } from '../scenarios/reply-fields.ts'

/** How a field of a reply is wrong. */
export type MalformationKind =
  | 'missing'
  | 'null'
  | 'wrong-type'
  | 'empty'
  | 'huge'
  | 'extra'
  | 'bad-enum'
  | 'out-of-range'
  | 'bad-utf8'
  | 'duplicate'

/** One way in which the reply of an operation can be wrong: `world.use(name, options)` switches it on. */
export interface Malformation {
  /** The scenario that does it. */
  readonly name: 'malformed-reply'
  /** The scenario's options. */
  readonly options: {
    /** The operation's id. */
    readonly on: OperationId
    /** A JSON pointer to the field; in a list, to the field of its first item. `''` is the whole reply. */
    readonly at: string
    readonly kind: MalformationKind
  }
  /** Whether the reply breaks its schema. A reply that does not is legal, but unusual. */
  readonly breaks: boolean
}

/**
 * Lists every way in which the replies of one operation, or of all operations, can be wrong. An operation whose reply has no
 * body has none. A reply that does not contain the field (an empty list has no first item) stays as it is.
 * @example for (const { name, options } of malformations('plants.list')) world.useOnly([{ name, ...options }])
 * @throws RangeError when there is no such operation.
 */
export function malformations(operation?: OperationId | (string & {})): Malformation[] {
  return (operation === undefined ? contract.operations : [find(operation)]).flatMap((one) =>
    fieldsOf(one).flatMap((field) =>
      malformationsOf(field).map(({ kind, breaks }): Malformation => ({
        name: 'malformed-reply',
        options: { on: one.id as OperationId, at: pointerOf(field), kind },
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
