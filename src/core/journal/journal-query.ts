import { checkOptions, flag, list, text, wholeNumber } from '../contract/options.ts'
import { quote, suggest } from '../text/messages.ts'
import { checkRequestQuery, type RequestQuery, requestRules } from './request-query.ts'
import { violationRules, type ViolationRule } from './violation.ts'

const operation = text('the id of an operation, such as "plants.create"', () => true)

const rules = {
  operation,
  status: wholeNumber('a status: a whole number from 100 to 599, or 0 for a request that got no reply', 0, 599),
  limit: wholeNumber('a whole number, 0 or more', 0, Infinity),
  violations: flag,
  ...requestRules,
}

const { limit: _limit, violations: _violations, ...comparedRules } = rules

const matcherRules = { times: { takes: 'a whole number', accepts: () => true }, ...comparedRules }

const violationQueryRules = {
  operation,
  ignore: list('a list of rules, such as ["missing-key"]', (rule) => typeof rule === 'string'),
}

export interface KnownOperations {
  readonly operations: readonly string[]
  readonly missing?: string
}

type Asked = RequestQuery & { readonly operation?: string | undefined; readonly status?: number | undefined }

/**
 * Checks a query: a typo in it must not read as "it was never called". @param matcher the matcher that the user called,
 * if it was not `journal.calls`. @throws TypeError, RangeError
 */
export function checkJournalQuery(query: Asked, known: KnownOperations, matcher?: string): void {
  const call = matcher ?? 'journal.calls'
  checkOptions(call, query, matcher === undefined ? rules : matcherRules)
  const { operation, status } = query
  checkOperation(call, operation, known)
  if (status !== undefined && status > 0 && status < 100)
    throw new RangeError(
      `Failed to call ${call}(): the option "status" takes ${rules.status.takes}; ${status} was given.`,
    )
  checkRequestQuery(call, query)
}

export function checkViolationQuery(
  query: { readonly operation?: string | undefined; readonly ignore?: readonly ViolationRule[] | undefined },
  known: KnownOperations,
): void {
  checkOptions('journal.violations', query, violationQueryRules)
  checkOperation('journal.violations', query.operation, known)
  const unknown = query.ignore?.find((rule) => !violationRules.includes(rule))
  if (unknown !== undefined)
    throw new RangeError(
      `Failed to call journal.violations(): there is no rule ${quote(unknown)}.${suggest(unknown, violationRules)}`,
    )
}

function checkOperation(
  call: string,
  operation: string | undefined,
  { operations, missing = '' }: KnownOperations,
): void {
  if (operation !== undefined && !operations.includes(operation))
    throw new RangeError(
      `Failed to call ${call}(): there is no operation ${quote(operation)}.${suggest(operation, operations) || ' "npx greenhouse-mock routes" lists them.'}${missing}`,
    )
}
