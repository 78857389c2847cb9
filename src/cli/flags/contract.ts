import { duration, fromNumber, readValue, target, variableOf } from '../../api/config/flag.ts'
import { text, wholeNumber } from '../../core/store/options.ts'
import { type ArgumentsOf, type Flags, servingFlags } from './flags.ts'
import { reportFlags } from './report.ts'
import { assumptionsFile, filePath, settings } from '../../api/config/settings.ts'

const glob = text(
  "the id of a rule or an assumption, with * for any characters, such as 'plants.*'",
)
const seconds = duration('a duration from 100ms to 10m, such as 10s', 100, 600_000)
const lag = duration('a duration from 0s to 1m, such as 2s', 0, 60_000)
const rate = readValue('a number of requests a second, more than 0, such as 4', (given) => {
  if (/^\d{1,6}(\.\d{1,3})?$/.test(given) && Number(given) > 0) return Number(given)
  return undefined
})

const secret = settings.token.value

export const verifyFlags = {
  'target-plants': {
    value: target,
    describe: 'Base URL of the plant store, without /plants',
  },
  'target-apps': {
    value: target,
    describe: 'Base URL of app management, without /apps',
  },
  key: {
    value: secret,
    variable: 'GREENHOUSE_VERIFY_KEY',
    describe: 'API key; by default GREENHOUSE_VERIFY_KEY',
  },
  'other-key': {
    value: secret,
    describe: "Another caller's key: check that callers cannot see each other's data",
  },
  'limited-key': {
    value: secret,
    describe: 'Read-only key of the same caller',
  },
  'expired-key': {
    value: secret,
    describe: 'Expired key',
  },
  'allow-writes': {
    isOn: false,
    describe: 'Also create plants and apps, and delete them at the end',
  },
  'allow-spending': {
    isOn: false,
    describe: 'Also send messages and buy credits, which cannot be undone',
  },
  'rate-limit': {
    isOn: false,
    describe: 'Send requests until the first 429',
  },
  slow: {
    isOn: false,
    describe: 'Also check what takes longer than ten seconds',
  },
  rate: {
    value: rate,
    describe: 'Largest number of requests a second',
    defaultDescription: '4; none for a Greenhouse, whose clock moves in place of waits',
  },
  timeout: {
    value: seconds,
    describe: 'How long a reply may take',
    default: '10s',
  },
  'read-lag': {
    value: lag,
    describe: 'How long a list may take to show a change',
    default: '2s',
  },
  insecure: {
    isOn: false,
    describe: 'Accept untrusted certificates',
  },
  'receive-at': {
    value: target,
    describe: 'URL at which the server reaches --receive-port of this machine, for webhooks',
  },
  'receive-port': {
    value: settings.port.value,
    describe: 'Port that receives webhooks; default: any free port',
    default: 0,
  },
  only: {
    each: glob,
    describe: 'Only the rules and assumptions with this id, or a glob such as plants.*',
  },
  ...reportFlags,
  write: {
    value: assumptionsFile,
    describe: 'File to write the observed assumptions to',
  },
} satisfies Flags

export type VerifyArguments = ArgumentsOf<typeof verifyFlags>

// Every run starts its own server, so there is nothing to reload, and no single log.
const { watch: _, log: __, ...ofServing } = servingFlags

/**
 * Flags of `serve` that `flip` refuses: what a case or a state starts with depends on the
 * assumptions.
 */
export const notForFlip = ['case', 'state'] as const

const rejected = 'Refused: every run starts from fixtures'

export const flipFlags = {
  ...ofServing,
  case: {
    value: filePath,
    variable: variableOf('case'),
    describe: rejected,
  },
  state: {
    value: filePath,
    variable: variableOf('state'),
    describe: rejected,
  },
  only: {
    each: text("the id of an assumption or a glob, such as 'plants.*'"),
    describe: 'Assumption to flip: an id, or a glob such as plants.*; default: all',
  },
  all: {
    isOn: false,
    describe: 'Also run variants of assumptions that the command does not consult',
  },
  parallel: {
    value: fromNumber(wholeNumber('a whole number from 1 to 64, such as 4', 1, 64)),
    describe: 'How many variants run at once, each with its own server',
    default: 1,
  },
  timeout: {
    value: duration('a duration above 0, such as 90s', Number.MIN_VALUE),
    describe:
      'How long the command may take in a variant; default: 10 times the first run plus 10 s',
  },
  ...reportFlags,
} satisfies Flags

export type FlipArguments = ArgumentsOf<typeof flipFlags>
