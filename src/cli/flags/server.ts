import { readValue } from '../../api/config/flag-value.ts'
import { flagsOf, settings } from '../../api/config/settings.ts'
import type { Terminal } from '../terminal.ts'
import { toFileSettings } from './config.ts'
import { type Flags, resolveFlags } from './flags.ts'

export const standardServer = 'http://127.0.0.1:4010'

export const target = readValue('an http or https URL without a query', 'https://api.example.com/v1', readTarget)

export const jsonFlag = {
  json: { isOn: false, describe: 'Print JSON, as the control API does' },
} satisfies Flags

const address = flagsOf({ port: settings.port, host: settings.host })

export function toLocalUrl({ env, config }: Pick<Terminal, 'env' | 'config'>): string {
  const { port, host } = resolveFlags(address, {}, env, toFileSettings(address, config))
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return toOwnUrl(new URL(`http://${name}:${port || settings.port.default}`).origin)
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
