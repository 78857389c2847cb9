import { type Command, withFlags } from '../command.ts'
import { UsageError } from '../errors.ts'
import { listFlags, recordsFlags, type RecordsArguments } from './show-records.ts'

export const recordsCommand: Command<RecordsArguments> = {
  command: 'records [collection] [id]',
  describe: 'List collections or records of a running server, or show one record',
  builder: (args, terminal) =>
    withFlags(args, recordsFlags, terminal)
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
    const { printRecords } = await import('./show-records.ts')
    await printRecords(args, terminal)
  },
}
