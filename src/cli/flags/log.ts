import { nonNegative, pair } from '../../api/config/flag.ts'
import { journalActions } from '../../control/actions/journal.ts'
import { serverFlags } from '../running-server.ts'
import { flagsOfAction } from './action.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import type { Fields } from '../../core/text/values.ts'

/** The action whose fields select requests. */
export const [journalList] = journalActions

const requestFlags = flagsOfAction(journalList, ['limit', 'before'])

/** The fields of requests that have no end of names. */
const pairFlags = {
  header: {
    each: pair('NAME=VALUE, such as idempotency-key=*'),
    describe: 'Only requests with this header: NAME=VALUE; * is any value, null none',
  },
  query: {
    each: pair('NAME=VALUE, such as limit=3'),
    describe: 'Only requests with this query parameter: NAME=VALUE',
  },
  body: {
    each: pair('FIELD=VALUE, such as name=Fern'),
    describe: 'Only requests whose JSON has this field: FIELD=VALUE, such as site.name=Shop',
  },
} satisfies Flags

const ownFlags = {
  follow: {
    isOn: false,
    short: 'f',
    describe: 'Keep printing new requests, until Ctrl-C',
  },
  wait: {
    isOn: false,
    describe: 'With --follow: wait for the server while it is unreachable',
  },
  ...pairFlags,
  limit: {
    value: nonNegative,
    describe: 'How many earlier requests to print: the newest ones',
    default: 100,
  },
  ...serverFlags,
  'all-worlds': {
    isOn: false,
    describe: 'Requests of all worlds',
  },
  json: {
    isOn: false,
    describe: 'Print each journal entry as a line of JSON',
  },
} satisfies Flags

export type LogArguments = ArgumentsOf<typeof ownFlags>

export const logFlags = { ...requestFlags, ...ownFlags } as typeof ownFlags

/** Returns the fields of requests as the control API takes them. */
export function toRequestFields(args: LogArguments): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const name of Object.keys(requestFlags)) {
    const value = (args as Fields)[name]
    if (value !== undefined && value !== false) fields[name] = String(value)
  }
  for (const prefix of ['header', 'query', 'body'] as const)
    for (const [name, value] of args[prefix]) fields[`${prefix}.${name}`] = value
  return fields
}
