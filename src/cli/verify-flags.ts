import * as values from './flag-values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'

/** The flags of `verify`. */
export const verifyFlags = {
  'target-plants': { value: values.target, describe: 'Base URL of the plant store; /plants is below it' },
  'target-apps': { value: values.target, describe: 'Base URL of app management; /apps is below it' },
  key: { value: values.secret, describe: 'API key to ask with; GREENHOUSE_VERIFY_KEY without it' },
  'other-key': { value: values.secret, describe: "Another caller's key: is one kept from what is the other's?" },
  'limited-key': { value: values.secret, describe: 'Key of the same caller that may only read' },
  'expired-key': { value: values.secret, describe: 'Expired key' },
  'allow-writes': { isOn: false, describe: 'Make plants and apps too, and take them away at the end' },
  'allow-spending': { isOn: false, describe: 'Send messages and buy credits too, which can not be taken back' },
  'rate-limit': { isOn: false, describe: 'Ask until the first 429' },
  slow: { isOn: false, describe: 'Also what takes longer than ten seconds' },
  rate: { value: values.rate, describe: 'How many requests a second at most', default: 4 },
  timeout: { value: values.seconds, describe: 'How long a reply may take', default: '10s' },
  insecure: { isOn: false, describe: 'Take a certificate that nobody trusts' },
  'receive-at': {
    value: values.target,
    describe: 'URL where the server reaches --receive-port of this machine, for webhooks',
  },
  'receive-port': { value: values.port, describe: 'Port that takes webhooks; any free one by default', default: 0 },
  only: { each: values.glob, describe: 'Only the rules and assumptions of these ids; * for any characters' },
  report: { value: values.report, describe: 'How to tell: table, json, junit or md', default: 'table' as const },
  write: { value: values.assumptionsFile, describe: 'File to write the observed assumptions to' },
} satisfies Flags

/** What `verifyFlags` give. */
export type VerifyArguments = ArgumentsOf<typeof verifyFlags>
