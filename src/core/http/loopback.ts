const ipv4 = /^(::ffff:)?127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

/** Whether an IP address, as in a URL's host or from a resolver, is this machine: 127.0.0.0/8 (also mapped to IPv6) or ::1. */
export function isLoopbackAddress(address: string): boolean {
  const isBracketed = address.startsWith('[') && address.endsWith(']')
  const plain = (isBracketed ? address.slice(1, -1) : address).toLowerCase()
  return plain === '::1' || ipv4.test(plain) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(plain)
}

export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host)
}

export function isLoopbackOrigin(origin: string): boolean {
  const [scheme, rest = ''] = origin.toLowerCase().split('://', 2)
  if (scheme !== 'http' && scheme !== 'https') return false
  const end = rest.startsWith('[') ? rest.indexOf(']') + 1 : rest.indexOf(':')
  const host = end < 0 ? rest : rest.slice(0, end)
  const port = end < 0 ? '' : rest.slice(end)
  return (port === '' || /^:\d{1,5}$/.test(port)) && isLoopbackHost(host)
}
