import type { Flags } from './flags.ts'
import * as values from './values.ts'

export const reportFlag = {
  report: {
    value: values.reportFormat,
    describe: 'Format of the report: table, json, junit or md',
    default: 'table' as const,
  },
} satisfies Flags
