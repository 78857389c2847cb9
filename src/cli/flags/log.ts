import * as values from './values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import { serverFlags } from './server.ts'

export const logFlags = {
  follow: { isOn: false, describe: 'Keep printing new requests, until Ctrl-C' },
  wait: { isOn: false, describe: 'With --follow: wait for the server while it is unreachable' },
  operation: { value: values.operation, describe: 'Only requests of this operation' },
  status: { value: values.status, describe: 'Only replies with this status: 404, 4xx, or 0 for no reply' },
  errors: { isOn: false, describe: 'Only replies with a status from 400, and requests without a reply' },
  violations: { isOn: false, describe: 'Only requests that break the contract' },
  scenario: {
    value: values.scenarioNameValue,
    describe: 'Only replies that this scenario changed; * for any scenario',
  },
  method: { value: values.method, describe: 'Only requests with this method' },
  path: {
    value: values.path,
    describe: 'Only requests with this path, or a pattern such as /v1/apps/*',
  },
  header: {
    each: values.headerField,
    describe: 'Only requests with this header: NAME=VALUE; * is any value, null none',
  },
  query: { each: values.queryField, describe: 'Only requests with this query parameter: NAME=VALUE' },
  body: {
    each: values.bodyField,
    describe: 'Only requests whose JSON has this field: FIELD=VALUE, such as site.name=Shop',
  },
  key: { value: values.sentKey, describe: 'Only requests with this key, or the key of this fingerprint' },
  account: { value: values.accountId, describe: 'Only requests with a key of this account' },
  search: {
    value: values.words,
    describe: 'Only requests with all these words in method, URL, status, operation, scenarios or reason',
  },
  limit: {
    value: values.nonNegativeInteger,
    describe: 'How many earlier requests to print: the newest ones',
    default: 100,
  },
  ...serverFlags,
  'all-worlds': { isOn: false, describe: 'Requests of all worlds' },
  json: { isOn: false, describe: 'Print each journal entry as a line of JSON' },
} satisfies Flags

export type LogArguments = ArgumentsOf<typeof logFlags>
