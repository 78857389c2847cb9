import type { CommandModule } from 'yargs'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import type { ArgumentsOf, Flags } from '../flags.ts'
import { jsonFlag, serverFlags } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const listFlags = {
  where: { each: values.condition, describe: 'List only records whose field has this value: FIELD=VALUE' },
  search: { value: values.words, describe: 'List only records with this text in them' },
  sort: { value: values.sortField, describe: 'Field to sort by; with a dash before it from the last to the first' },
  limit: { value: values.amount, describe: 'How many to list at most' },
  offset: { value: values.amount, describe: 'How many to leave out first' },
} satisfies Flags

const flags = { ...serverFlags, ...listFlags, ...jsonFlag }

/** What the words and flags of the command give. */
export type RecordsArguments = ArgumentsOf<typeof flags> & { collection?: string; id?: string }

export const recordsCommand: CommandModule<object, RecordsArguments> = {
  command: 'records [collection] [id]',
  describe: "List the collections of a world of a running server, a collection's records, or one record",
  builder: (args) =>
    withFlags(args, flags)
      .positional('collection', { type: 'string', describe: 'Name of a collection, such as plants' })
      .positional('id', { type: 'string', describe: 'Id of one of its records' })
      .example('$0 records plants --where tag=tree --sort=-id --limit 5', 'Some records')
      .example('$0 records plants 12 --json', 'One record'),
  handler: async (args) => {
    const given = Object.keys(listFlags).find((name) => {
      const value = args[name as keyof typeof listFlags]
      return Array.isArray(value) ? value.length > 0 : value !== undefined
    })
    if (given !== undefined && (args.collection === undefined || args.id !== undefined))
      throw new UsageError(
        `--${given}: it goes with a collection and without an id: greenhouse records plants --${given} ….`,
      )
    const { showRecords } = await import('../records.ts')
    await showRecords(args)
  },
}
