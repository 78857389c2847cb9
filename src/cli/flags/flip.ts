import { duration, textValue, whole } from '../../api/config/flag-value.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import { reportFlag } from './verify.ts'
import { serveFlags } from './serve.ts'

// Every run starts its own server, so there is nothing to reload, and no single log.
const { watch: _, log: __, ...servingFlags } = serveFlags({ port: 0, log: 'silent' })

/** Flags of `serve` that `flip` refuses: what a case or a state starts with depends on the assumptions. */
export const notForFlip = ['case', 'state'] as const

const rejected = 'Refused: every run starts from fixtures'

export const flipFlags = {
  ...servingFlags,
  case: { ...servingFlags.case, describe: rejected },
  state: { ...servingFlags.state, describe: rejected },
  only: {
    each: textValue('the id of an assumption or a glob', "'plants.*'"),
    describe: 'Assumption to flip: an id, or a glob such as plants.*; default: all',
  },
  all: { isOn: false, describe: 'Also run variants of assumptions that the command does not consult' },
  parallel: {
    value: whole('a whole number from 1 to 64', '4', 1, 64),
    describe: 'How many variants run at once, each with its own server',
    default: 1,
  },
  timeout: {
    value: duration('a duration above 0', '90s', Number.MIN_VALUE),
    describe: 'How long the command may take in a variant; default: 10 times the first run plus 10 s',
  },
  ...reportFlag,
} satisfies Flags

export type FlipArguments = ArgumentsOf<typeof flipFlags>
