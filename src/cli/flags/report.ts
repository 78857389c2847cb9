import { folder } from '../../api/config/settings.ts'
import { oneOf } from '../../core/store/options.ts'
import { joinNames } from '../../core/text/messages.ts'
import { reportFormatNames } from '../../output/reports.ts'
import type { Flags } from './flags.ts'

export const reportFlags = {
  report: {
    value: oneOf(reportFormatNames),
    describe: `Format of the report: ${joinNames(reportFormatNames, 'or')}`,
    default: 'table',
  },
  artifacts: {
    value: folder,
    describe: 'Folder for the report in every format',
  },
} satisfies Flags
