import * as values from './values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import { greenhouseFlags } from './greenhouse.ts'
import { withVariables } from './variables.ts'

export function serveFlags(defaults: { readonly port: number; readonly log: values.LogFormat }) {
  return withVariables({
    ...greenhouseFlags,
    port: { value: values.port, describe: 'Port; 0 for any free port', default: defaults.port },
    host: { value: values.address, describe: 'Address to listen on', default: '127.0.0.1' },
    'allow-host': {
      each: values.hostName,
      describe:
        'Host name that requests may use besides localhost, IP addresses and --host; .example.com for all names below',
    },
    token: {
      value: values.secret,
      describe: 'Secret of the control API; required if --host lets other machines in',
    },
    'control-origin': {
      each: values.exactOrigin,
      describe: 'Exact origin whose pages may use the control API, such as http://localhost:5173',
    },
    case: { value: values.file, describe: 'Start with the world of a case, after all its requests' },
    state: {
      value: values.file,
      describe: 'File that keeps the world default: read at the start if it is there, written after changes',
    },
    handlers: { value: values.file, describe: 'Module with your own MSW handlers, which answer first' },
    watch: { isOn: false, describe: 'Reload --fixtures and --scenarios when their files change' },
    log: { value: values.log, describe: 'What to print: pretty, json or silent', default: defaults.log },
  } satisfies Flags)
}

export type ServeArguments = ArgumentsOf<ReturnType<typeof serveFlags>>
