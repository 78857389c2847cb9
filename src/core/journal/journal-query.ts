import { checkOptions, text, wholeNumber } from '../definitions/options.ts'
import { quote } from '../definitions/quote.ts'
import { suggest } from '../definitions/suggest.ts'

const rules = {
  operation: text('the id of an operation, such as "plants.create"', () => true),
  status: wholeNumber('a status: a whole number from 100 to 599, or 0 for a request that got no reply', 0, 599),
  limit: wholeNumber('a whole number, 0 or more', 0, Infinity),
}

/** A slip in what is asked for must not read as "it was never called". @throws TypeError, RangeError */
export function checkQuery(
  query: { readonly operation?: string | undefined; readonly status?: number | undefined },
  operations: readonly string[],
): void {
  checkOptions('journal.calls', query, rules)
  const { operation, status } = query
  if (operation !== undefined && !operations.includes(operation))
    throw new RangeError(
      `Failed to call journal.calls(): there is no operation ${quote(operation)}.${suggest(operation, operations)}`,
    )
  if (status !== undefined && status > 0 && status < 100)
    throw new RangeError(
      `Failed to call journal.calls(): the option "status" takes ${rules.status.takes}; ${status} was given.`,
    )
}
