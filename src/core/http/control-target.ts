export function isControlTarget(target: string): boolean {
  // Fast path: the second character decides for nearly every request.
  if (target[0] === '/' && target[1] !== '_') return false
  return /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?\/__greenhouse([/?#]|$)/.test(target)
}

/**
 * Whether a URL's path may lead to the control API of any Greenhouse: below any prefix, in any case, and
 * percent-encoded any number of times, because a proxy may decode it.
 */
export function mayLeadToControl(pathname: string): boolean {
  let path = pathname
  for (let decoded = decodeOnce(path); decoded !== path; decoded = decodeOnce(path)) path = decoded
  return /[/\\]__greenhouse(?![\w.-])/i.test(path)
}

function decodeOnce(path: string): string {
  return path.includes('%')
    ? path.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : path
}
