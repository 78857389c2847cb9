import * as values from './flag-values.ts'
import { fromEnvironment, type ArgumentsOf, type Flags } from './flags.ts'

const standard = { server: 'http://127.0.0.1:4010', world: 'default' }

/** What a server that listens everywhere is reached at from its own machine. */
const ownAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The flags of a command that calls a running server. */
export const serverFlags = {
  server: {
    value: values.serverUrl,
    describe: 'URL of the running server',
    otherwise: `GREENHOUSE_URL, or ${standard.server}; GREENHOUSE_PORT and GREENHOUSE_HOST hold here too`,
  },
  world: {
    value: values.world,
    describe: 'World of the server',
    otherwise: `GREENHOUSE_WORLD, or ${standard.world}`,
  },
  token: {
    value: values.secret,
    describe: 'Token of the server',
    otherwise: 'GREENHOUSE_TOKEN',
  },
} satisfies Flags

/** The flag of a command that can print JSON. */
export const jsonFlag = {
  json: { isOn: false, describe: 'Print JSON, as the control API does' },
} satisfies Flags

/** What `serverFlags` give. */
export type ServerArguments = ArgumentsOf<typeof serverFlags>

/** Which running server is meant, and which of its worlds. */
export interface Target {
  readonly server: string
  readonly world: string
  readonly token: string | undefined
}

/** The server and the world that are meant: flags win over the environment. @throws UsageError for an invalid value of a variable. */
export function toTarget({ server, world, token }: ServerArguments, env: NodeJS.ProcessEnv): Target {
  return {
    server: server ?? fromEnvironment('GREENHOUSE_URL', values.serverUrl, env) ?? toLocalUrl(env),
    world: world ?? fromEnvironment('GREENHOUSE_WORLD', values.world, env) ?? standard.world,
    token: token ?? fromEnvironment('GREENHOUSE_TOKEN', values.secret, env),
  }
}

/** Where `greenhouse-mock serve` would listen that was started with the same variables. */
function toLocalUrl(env: NodeJS.ProcessEnv): string {
  const url = new URL(standard.server)
  const port = fromEnvironment('GREENHOUSE_PORT', values.port, env)
  const host = fromEnvironment('GREENHOUSE_HOST', values.address, env)
  if (port !== undefined && port !== 0) url.port = String(port)
  if (host !== undefined) {
    const address = ownAddress[host] ?? host
    url.hostname = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
  }
  return url.origin
}
