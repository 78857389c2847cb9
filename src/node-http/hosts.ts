import { isHostAllowed } from 'host-validation-middleware'
import { isHostName } from '../core/http/urls.ts'

export type HostCheck = (header: string | undefined) => boolean

/**
 * Creates the check against DNS rebinding, where a foreign name resolves to this machine. Accepted are `localhost`,
 * names below it, all IP addresses, the server's host, and the names of `allow`: `api`, or with a leading dot a domain
 * and all its subdomains, `.example.com`. A request without the header passes: browsers always send it. @throws
 * RangeError for an invalid name.
 */
export function createHostCheck(host: string, allow: readonly string[] = []): HostCheck {
  const wrong = allow.find((name) => !isHostName(name))
  if (wrong !== undefined)
    throw new RangeError(
      `Failed to allow the host ${JSON.stringify(wrong)}: --allow-host and allowHosts take host names without a scheme or a port, such as api or .example.com.`,
    )
  const names = [host, ...allow].filter((name) => name !== '').map((name) => name.toLowerCase())
  let latest: string | undefined
  return (header) => {
    // Fast path: clients repeat the same host.
    if (header === latest) return true
    if (!isHostAllowed(header?.toLowerCase(), names)) return false
    latest = header
    return true
  }
}
