import { readValue } from '../../api/config/flag-value.ts'
import { settings } from '../../api/config/settings.ts'
import type { Terminal } from '../terminal.ts'
import { type Flags, fromEnvironment } from './flags.ts'

export const standardServer = 'http://127.0.0.1:4010'

export const target = readValue('an http or https URL without a query', 'https://api.example.com/v1', readTarget)

export const jsonFlag = {
  json: { isOn: false, describe: 'Print JSON, as the control API does' },
} satisfies Flags

export function toLocalUrl({ env, config }: Pick<Terminal, 'env' | 'config'>): string {
  const url = new URL(standardServer)
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
