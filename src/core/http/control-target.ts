/** Whether a request's target belongs to the control API: `/__greenhouse…`, or a whole URL with such a path. */
export function isControlTarget(target: string): boolean {
  // Of nearly every request the second character tells.
  if (target[0] === '/' && target[1] !== '_') return false
  return /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?\/__greenhouse([/?#]|$)/.test(target)
}

/**
 * Whether a URL's path may lead to the control API of a Greenhouse, this one or another: below any prefix, in any case, and
 * percent-encoded however often, since what stands between may decode it.
 */
export function mayLeadToControl(pathname: string): boolean {
  let path = pathname
  for (let decoded = decodeOnce(path); decoded !== path; decoded = decodeOnce(path)) path = decoded
  return /[/\\]__greenhouse(?![\w.-])/i.test(path)
}

/** Decodes ASCII. Invalid percent-encoding stays as it is. */
function decodeOnce(path: string): string {
  return path.includes('%')
    ? path.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : path
}
