import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import * as values from '../flag-values.ts'
import type { ArgumentsOf, Flags } from '../flags.ts'
import { jsonFlag, serverFlags } from '../server-flags.ts'
import { withFlags } from '../yargs-flags.ts'

const listFlags = {
  where: { each: values.condition, describe: 'Only records whose field has this value: FIELD=VALUE' },
  search: { value: values.words, describe: 'Only records that contain this text' },
  sort: { value: values.sortField, describe: 'Field to sort by; -FIELD for descending order' },
  limit: { value: values.amount, describe: 'Largest number to list' },
  offset: { value: values.amount, describe: 'How many to skip at the start' },
} satisfies Flags

const flags = { ...serverFlags, ...listFlags, ...jsonFlag }

/** What the words and flags of the command give. */
export type RecordsArguments = ArgumentsOf<typeof flags> & { collection?: string; id?: string }

export const recordsCommand: Command<RecordsArguments> = {
  command: 'records [collection] [id]',
  describe: 'List collections or records of a running server, or show one record',
  builder: (args, terminal) =>
    withFlags(args, flags, terminal.env)
      .positional('collection', { type: 'string', describe: 'Name of a collection, such as plants' })
      .positional('id', { type: 'string', describe: 'Id of a record' })
      .example('$0 records plants --where tag=tree --sort=-id --limit 5', 'Some records')
      .example('$0 records plants 12 --json', 'One record'),
  handler: async (args, terminal) => {
    const given = Object.keys(listFlags).find((name) => {
      const value = args[name as keyof typeof listFlags]
      return Array.isArray(value) ? value.length > 0 : value !== undefined
    })
    if (given !== undefined && (args.collection === undefined || args.id !== undefined))
      throw new UsageError(
        `--${given}: use it with a collection, without an id: greenhouse-mock records plants --${given} ….`,
      )
    const { showRecords } = await import('../records.ts')
    await showRecords(args, terminal)
  },
}
