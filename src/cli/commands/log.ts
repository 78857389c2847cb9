import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import type { ArgumentsOf, Flags } from '../flags.ts'
import { serverFlags } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const flags = {
  follow: { isOn: false, describe: 'Keep printing new requests, until Ctrl-C' },
  wait: { isOn: false, describe: 'With --follow: wait for the server when it is not there' },
  operation: { value: values.operation, describe: 'Only requests of this operation' },
  status: { value: values.status, describe: 'Only replies with this status: 404, 4xx, or 0 for no reply' },
  errors: { isOn: false, describe: 'Only replies with a status from 400, and requests without a reply' },
  violations: { isOn: false, describe: 'Only requests that break the contract' },
  scenario: { value: values.scenarioName, describe: 'Only replies that this scenario changed; * for any scenario' },
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
  limit: { value: values.amount, describe: 'How many earlier requests to print, the newest', default: 100 },
  ...serverFlags,
  'all-worlds': { isOn: false, describe: 'Requests of all worlds' },
  json: { isOn: false, describe: 'Print each journal entry as a line of JSON' },
} satisfies Flags

/** What the flags give. */
export type LogArguments = ArgumentsOf<typeof flags>

export const logCommand: Command<LogArguments> = {
  command: 'log',
  describe: 'Print the requests that a running server answered',
  builder: (args, terminal) =>
    withFlags(args, flags, terminal.env)
      .alias('f', 'follow')
      .example('$0 log --follow --errors', 'Watch what goes wrong')
      .example('$0 log --status 429 --json', 'Whole entries, for jq')
      .epilogue(
        'Times are those of the world. --follow ends with 0 on Ctrl-C, and with 1 when the server goes away.',
      ) as never,
  handler: async (args, terminal) => {
    if (args.allWorlds && args.world !== undefined)
      throw new UsageError('--world and --all-worlds do not go together: use one of them.')
    if (args.wait && !args.follow) throw new UsageError('--wait: use it with --follow.')
    if (args.follow) return (await import('../log/follow.ts')).followLog(args, terminal)
    return (await import('../log/show.ts')).showLog(args, terminal)
  },
}
