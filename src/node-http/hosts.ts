import { isHostAllowed } from 'host-validation-middleware'

/** Tells of a Host header whether the server goes by that name. */
export type HostCheck = (header: string | undefined) => boolean

/**
 * Makes the check against DNS rebinding, where a stranger's name suddenly leads to this machine. A server goes by `localhost`,
 * names below it, every IP address, the host that it was told to listen on, and the names of `allow`: `api`, or with a
 * leading dot all names below, `.example.com`. A request without the header is no browser's.
 * @throws RangeError for an invalid name.
 */
export function createHostCheck(host: string, allow: readonly string[] = []): HostCheck {
  const wrong = allow.find((name) => !isHostName(name))
  if (wrong !== undefined)
    throw new RangeError(
      `Failed to allow the host ${JSON.stringify(wrong)}: --allow-host and allowHosts take names without protocol and port, such as api or .example.com.`,
    )
  const names = [host, ...allow].filter((name) => name !== '').map((name) => name.toLowerCase())
  let latest: string | undefined
  return (header) => {
    // A client asks for the same host again and again.
    if (header === latest) return true
    if (!isHostAllowed(header?.toLowerCase(), names)) return false
    latest = header
    return true
  }
}

/** Whether it is what `allow` takes: a name without protocol and port. */
export function isHostName(text: string): boolean {
  const labels = (text.startsWith('.') ? text.slice(1) : text).split('.')
  return labels.every((label) => label.length <= 63 && /^[\w-]+$/.test(label))
}
