/** Returns variables with which programs use no proxy for some hosts, and for those that the environment excepts. */
export function withoutProxy({ NO_PROXY = '', no_proxy = '' }: NodeJS.ProcessEnv, hosts: readonly string[]) {
  const given = `${NO_PROXY},${no_proxy}`.split(/[,\s]+/).filter(Boolean)
  // An asterisk excepts every host, but only alone.
  const value = given.includes('*') ? '*' : [...new Set([...given, ...hosts])].join(',')
  return { NO_PROXY: value, no_proxy: value }
}
