import * as values from './values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import { jsonFlag, serverFlags } from './server.ts'

export const listFlags = {
  where: { each: values.condition, describe: 'Only records whose field has this value: FIELD=VALUE' },
  search: { value: values.words, describe: 'Only records that contain this text' },
  sort: { value: values.sortField, describe: 'Field to sort by; -FIELD for descending order' },
  limit: { value: values.nonNegativeInteger, describe: 'How many to list at most' },
  offset: { value: values.nonNegativeInteger, describe: 'How many to skip at the start' },
} satisfies Flags

export const recordsFlags = { ...serverFlags, ...listFlags, ...jsonFlag }

export type RecordsArguments = ArgumentsOf<typeof recordsFlags> & { collection?: string; id?: string }
