import { nonNegative, pair, readValue, words } from '../../api/config/flag.ts'
import { text } from '../../core/store/options.ts'
import { serverFlags } from '../running-server.ts'
import type { ArgumentsOf, Flags } from './flags.ts'

export const logFlags = {
  follow: { isOn: false, short: 'f', describe: 'Keep printing new requests, until Ctrl-C' },
  wait: { isOn: false, describe: 'With --follow: wait for the server while it is unreachable' },
  operation: {
    value: text('the id of an operation, such as plants.list'),
    describe: 'Only requests of this operation',
  },
  status: {
    value: readValue('a status or a class of statuses, such as 4xx', (given) =>
      /^([1-5]\d\d|[1-5]xx|0)$/i.test(given) ? given.toLowerCase() : undefined,
    ),
    describe: 'Only replies with this status: 404, 4xx, or 0 for no reply',
  },
  errors: {
    isOn: false,
    describe: 'Only replies with a status from 400, and requests without a reply',
  },
  violations: { isOn: false, describe: 'Only requests that break the contract' },
  scenario: {
    value: text('the name of a scenario, such as slow'),
    describe: 'Only replies that this scenario changed; * for any scenario',
  },
  method: {
    value: text('an HTTP method, such as POST'),
    describe: 'Only requests with this method',
  },
  path: {
    value: text('a path from the root of the service, such as /v1/apps/*'),
    describe: 'Only requests with this path, or a pattern such as /v1/apps/*',
  },
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
  key: {
    value: text('a key or its fingerprint, such as key_pro', undefined, { isSecret: true }),
    describe: 'Only requests with this key, or the key of this fingerprint',
  },
  account: {
    value: text('the id of an account, such as acct_pro'),
    describe: 'Only requests with a key of this account',
  },
  search: {
    value: words,
    describe:
      'Only requests with all these words in method, URL, status, operation, scenarios or reason',
  },
  limit: {
    value: nonNegative,
    describe: 'How many earlier requests to print: the newest ones',
    default: 100,
  },
  ...serverFlags,
  'all-worlds': { isOn: false, describe: 'Requests of all worlds' },
  json: { isOn: false, describe: 'Print each journal entry as a line of JSON' },
} satisfies Flags

export type LogArguments = ArgumentsOf<typeof logFlags>
