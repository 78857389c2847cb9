import { codedError } from '../core/text/error-codes.ts'
import { builtInCatalogue } from '../catalogue/catalogue.ts'
import type { Operation } from '../core/pipeline/operation.ts'
import { describeProblem } from '../core/text/messages.ts'
import type { OperationId } from './generated/known-names.ts'
import { type MalformationKind, malformationsOf } from '../scenarios/language/malformation.ts'
import { pointerOf, replyFieldsOf } from '../scenarios/language/reply-fields.ts'

/** One way to malform the replies of an operation: `world.use(name, options)` switches it on. */
export interface Malformation {
  /** The scenario to use. */
  readonly name: 'malformed-reply'
  /** The scenario's options. */
  readonly options: {
    /** The operation's id. */
    readonly on: OperationId
    /**
     * A JSON pointer to the field; in a list, to the field of its first item. `''` is the whole
     * reply.
     */
    readonly at: string
    readonly kind: MalformationKind
  }
  /** True if the malformed reply breaks its schema. If not, it is valid but unusual. */
  readonly breaks: boolean
}

/**
 * Lists every way to malform the replies of an operation, or of all operations. Replies without a
 * body have none. A reply without the field stays as it is: an empty list, for example, has no
 * first item.
 * @example for (const { name, options } of malformations('plants.list')) world.useOnly([{ name, ...options }])
 * @throws RangeError for an unknown operation.
 */
export function malformations(operation?: OperationId | (string & {})): Malformation[] {
  return (
    operation === undefined ? builtInCatalogue.operations : [findOperation(operation)]
  ).flatMap((one) =>
    replyFieldsOf(one).flatMap((field) =>
      malformationsOf(field).map(({ kind, breaks }): Malformation => ({
        name: 'malformed-reply',
        options: {
          on: one.id as OperationId,
          at: pointerOf(field),
          kind,
        },
        breaks,
      })),
    ),
  )
}

function findOperation(id: string): Operation {
  const { operations } = builtInCatalogue
  const found = operations.find((operation) => operation.id === id)
  if (found) return found
  const known = operations.map((operation) => operation.id)
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    describeProblem(
      `Failed to list malformations of "${id}": there is no such operation`,
      id,
      known,
    ),
  )
}
