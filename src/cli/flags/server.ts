import { worldName, worldNameRule } from '../../core/http/urls.ts'
import { readValue, textValue } from '../../api/config/flag-value.ts'
import { settings } from '../../api/config/settings.ts'
import type { Terminal } from '../terminal.ts'
import { type ArgumentsOf, type Flags, fromEnvironment } from './flags.ts'

const standard = { server: 'http://127.0.0.1:4010', world: 'default' }

export const target = readValue('an http or https URL without a query', 'https://api.example.com/v1', readTarget)

const serverUrl = textValue(
  'a URL',
  'http://127.0.0.1:4010',
  (given) => /^http:\/\//i.test(given) && URL.canParse(given),
)

/** Not `.` or `..`, which URL parsers remove. */
const nameOfWorld = textValue(worldNameRule, 'checkout', (given) => worldName.test(given) && !/^\.\.?$/.test(given))

export const serverFlags = {
  server: {
    value: serverUrl,
    describe: 'URL of the running server',
    defaultDescription: `GREENHOUSE_URL, or GREENHOUSE_HOST and GREENHOUSE_PORT, or ${standard.server}`,
  },
  world: {
    value: nameOfWorld,
    describe: 'World of the server',
    defaultDescription: `GREENHOUSE_WORLD, or ${standard.world}`,
  },
  token: { value: settings.token.value, describe: 'Token of the server', defaultDescription: 'GREENHOUSE_TOKEN' },
} satisfies Flags

export const jsonFlag = {
  json: { isOn: false, describe: 'Print JSON, as the control API does' },
} satisfies Flags

export const callFlags = { ...serverFlags, ...jsonFlag }

export type ServerArguments = ArgumentsOf<typeof serverFlags>

type ServerSources = Pick<Terminal, 'env' | 'config'>

export interface Target {
  readonly server: string
  readonly world: string
  readonly token: string | undefined
}

export function toTarget({ server, world, token }: ServerArguments, { env, config }: ServerSources): Target {
  return {
    server: server ?? fromEnvironment('GREENHOUSE_URL', serverUrl, env) ?? toLocalUrl({ env, config }),
    world: world ?? fromEnvironment('GREENHOUSE_WORLD', nameOfWorld, env) ?? standard.world,
    token: token ?? fromEnvironment('GREENHOUSE_TOKEN', settings.token.value, env) ?? config?.config.token,
  }
}

export function toLocalUrl({ env, config }: ServerSources): string {
  const url = new URL(standard.server)
  const port = fromEnvironment('GREENHOUSE_PORT', settings.port.value, env) ?? config?.config.port
  const host = fromEnvironment('GREENHOUSE_HOST', settings.host.value, env) ?? config?.config.host
  if (port !== undefined && port !== 0) url.port = String(port)
  if (host !== undefined) url.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return toOwnUrl(url.origin)
}

export function toOwnUrl(url: string): string {
  return url.replace(/\/\/0\.0\.0\.0\b/, '//127.0.0.1').replace('//[::]', '//[::1]')
}

/** Returns variables with which programs use no proxy for some hosts, and for those that the environment excepts. */
export function withoutProxy({ NO_PROXY = '', no_proxy = '' }: NodeJS.ProcessEnv, hosts: readonly string[]) {
  const given = `${NO_PROXY},${no_proxy}`.split(/[,\s]+/).filter(Boolean)
  // An asterisk excepts every host, but only alone.
  const value = given.includes('*') ? '*' : [...new Set([...given, ...hosts])].join(',')
  return { NO_PROXY: value, no_proxy: value }
}

function readTarget(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '' || username !== '' || password !== '' || text.endsWith('?')) return undefined
  return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
}
