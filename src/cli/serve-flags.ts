import * as values from './flag-values.ts'
import type { ArgumentsOf, Flags } from './flags.ts'
import { greenhouseFlags } from './options.ts'
import { withVariables } from './variables.ts'

/** The flags of a command that serves, each with a variable that stands for it. @param defaults those that differ from command to command. */
export function serveFlags(defaults: { readonly port: number; readonly log: values.LogFormat }) {
  return withVariables({
    ...greenhouseFlags,
    port: { value: values.port, describe: 'Port; 0 for any free one', default: defaults.port },
    host: { value: values.address, describe: 'Address to listen on', default: '127.0.0.1' },
    'allow-host': {
      each: values.hostName,
      describe:
        'Host name that requests may use besides localhost, IP addresses and --host; .example.com for all names below',
    },
    token: {
      value: values.secret,
      describe: 'Secret of the control API; required when --host admits other machines',
    },
    'control-origin': {
      each: values.exactOrigin,
      describe: 'Origin whose pages may use the control API, such as http://localhost:5173; exact ones only',
    },
    handlers: { value: values.file, describe: 'Module with MSW handlers of your own, answered first' },
    watch: { isOn: false, describe: 'Reload the folders of --fixtures and --scenarios when they change' },
    log: { value: values.log, describe: 'What to print: pretty, json or silent', default: defaults.log },
  } satisfies Flags)
}

/** What `serveFlags` give. */
export type ServeArguments = ArgumentsOf<ReturnType<typeof serveFlags>>
