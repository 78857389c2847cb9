import * as z from 'zod/mini'

export const assignedDomainRoot = 'greenhouse-apps.example'

const longest = 253

const labels = /^([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+$/
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const wrong =
  'Invalid domain: expected a hostname such as "chat.example.com"; write letters other than a-z in Punycode (xn--…)'

/** A hostname of at least two ASCII labels, converted to lower case. Exactly one label may precede `assignedDomainRoot`. */
export const domainSchema = z.string().check(
  z.regex(labels, { error: wrong, abort: true }),
  z.refine(isHostname, { error: wrong, abort: true }),
  z.toLowerCase(),
  z.refine(
    (domain) => !isAssignedDomain(domain) || domain.split('.').length === assignedDomainRoot.split('.').length + 1,
    `Invalid domain: expected a single name before ".${assignedDomainRoot}"`,
  ),
)

/** Whether labels form a hostname: none is too long, or begins or ends with a dash; the last is not a number, as in an IP address. */
function isHostname(domain: string): boolean {
  return domain.length <= longest && domain.split('.').every((part) => label.test(part)) && !/\.\d+$/.test(domain)
}

export function isAssignedDomain(domain: string): boolean {
  return isAtOrBelow(domain, assignedDomainRoot)
}

export function isAtOrBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith('.' + parent)
}
