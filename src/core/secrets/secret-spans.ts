import { isCount, isSecretName, isSecretParameter } from './secret-names.ts'

export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** The secret value, without quotes and scheme. */
  readonly secret: string
  readonly isNumber?: boolean
}

/**
 * The kind of a string: the query of a URL or a form (`url`), a path, or any other text. It decides what ends a parameter's
 * value: `&`, `;`, `#` or a space; in a path also `/` or `?`; in other text also a quote or an angle bracket.
 */
export type TextKind = 'url' | 'path' | 'text'

export function findSpans(text: string, kind: TextKind, spans: SecretSpan[]): void {
  if (text.includes('=')) findParameters(text, kind, spans)
  if (text.includes('://')) findUserInfo(text, spans)
  if (text.includes('"')) findMembers(text, spans)
  findForms(text, spans)
}

/** What ends a parameter's name before it begins, seen from its "=". */
const beforeName = /[?&;#'"<>,{}()|/: \t\r\n\\]/

/** The values of parameters without quotes; in a URL, up to a semicolon. */
const values: Readonly<Record<TextKind, RegExp>> = {
  url: /[^&;# \t\r\n]*/y,
  path: /[^&;# \t\r\n/?]*/y,
  text: /[^&;# \t\r\n"<>]*/y,
}

const afterSemicolon = /;[^&;# \t\r\n]*/y

function findParameters(text: string, kind: TextKind, spans: SecretSpan[]): void {
  const isSecret = kind === 'text' ? isSecretName : isSecretParameter
  let from = 0
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', from)) {
    const name = text.slice(from, equals).split(beforeName).at(-1)!
    const start = (from = equals + 1)
    const first = text[start]
    const quote = kind === 'text' && (first === '"' || first === "'") ? first : ''
    if (quote !== '' && name === 'name') from = findFormPart(text, start, spans)
    if (!isSecret(name)) continue
    const close = quote === '' ? findEnd(text, kind, start) : text.indexOf(quote, start + 1)
    const end = close < 0 ? text.length : close
    addSecret(text, start + quote.length, end, name, spans)
    from = end
  }
}

/** In a URL, `a;b` is one value if no parameter follows the semicolon. In text, `\"` may end a string around the parameter. */
function findEnd(text: string, kind: TextKind, start: number): number {
  let end = start + matchAt(values[kind], text, start).length
  if (kind === 'text') return end > start && text[end] === '"' && text[end - 1] === '\\' ? end - 1 : end
  while (kind === 'url' && text[end] === ';') {
    const next = matchAt(afterSemicolon, text, end)
    if (next.includes('=')) break
    end += next.length
  }
  return end
}

function matchAt(sticky: RegExp, text: string, index: number): string {
  sticky.lastIndex = index
  return sticky.exec(text)?.[0] ?? ''
}

/** In a multipart form, the value follows an empty line. Returns its end. @param at the start of the quoted name. */
function findFormPart(text: string, at: number, spans: SecretSpan[]): number {
  const near = text.slice(at + 1, at + 1_000)
  const close = near.indexOf('"')
  const gap = near.indexOf('\r\n\r\n', close)
  if (close < 0 || gap < 0 || !isSecretName(near.slice(0, close))) return at
  const start = at + 1 + gap + 4
  const found = text.indexOf('\r\n--', start)
  const end = found < 0 ? text.length : found
  addSecret(text, start, end, '', spans)
  return end
}

const userInfo = /:\/\/([^/?# \t\r\n"'<>\\]+)@/g

function findUserInfo(text: string, spans: SecretSpan[]): void {
  for (const { 1: user, index } of text.matchAll(userInfo))
    addSecret(text, index + 3, index + 3 + user!.length, '', spans)
}

/** A string, up to the end of the text if that is cut off, and what follows a member's name. */
const string = /"([^"\\]*(?:\\[^]?[^"\\]*)*)(?:"([ \n\t\r]*:[ \n\t\r]*)?|$)/g

/** `"token": "x"`, `"secret": 12345`, and everything in `"credentials": { … }`. The text may be incomplete, or not JSON. */
function findMembers(text: string, spans: SecretSpan[]): void {
  string.lastIndex = 0
  for (let found = string.exec(text); found; found = string.exec(text)) {
    const name = found[1]!
    const next = string.lastIndex
    if (found[2] !== undefined && isSecretName(name)) string.lastIndex = findValue(text, next, name, spans)
    // A string's end may be the next one's beginning: decoded JSON within JSON has unbalanced quotes.
    else string.lastIndex = found.index + 1 + name.length
  }
}

const scalar = /[^,}\]" \t\r\n]*/y

function findValue(text: string, start: number, name: string, spans: SecretSpan[]): number {
  const first = text.charAt(start)
  if (first === '{' || first === '[') return findWithin(text, start, spans)
  // `the scenario "expired-key": there is none` is a sentence.
  if (/[-\d]/.test(first)) return addScalar(start, matchAt(scalar, text, start), name, spans)
  if (first !== '"') return start
  string.lastIndex = start
  const value = string.exec(text)![1]!
  addSecret(text, start + 1, start + 1 + value.length, name, spans)
  return start + 2 + value.length
}

/** A string, and whether it is a name; a bracket; any other value. */
const token = /"([^"\\]*(?:\\[^]?[^"\\]*)*)(?:"([ \n\t\r]*:)?|$)|[{}[\]]|[^,:{}[\]" \t\r\n][^,}\]" \t\r\n]*/g

function findWithin(text: string, start: number, spans: SecretSpan[]): number {
  let depth = 0
  token.lastIndex = start
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: whole, 1: value, 2: colon } = found
    if (whole === '{' || whole === '[') depth++
    else if (whole === '}' || whole === ']') depth--
    else if (value === undefined) addScalar(found.index, whole, '', spans)
    else if (colon === undefined) addSecret(text, found.index + 1, found.index + 1 + value.length, '', spans)
    if (depth === 0) return token.lastIndex
  }
  return text.length
}

function addScalar(start: number, value: string, name: string, spans: SecretSpan[]): number {
  const end = start + value.length
  if (value !== 'true' && value !== 'false' && value !== 'null' && !isCount(name, value))
    spans.push({ start, end, secret: value, isNumber: true })
  return end
}

const scheme = /^(?:bearer|basic|digest|token|apikey|negotiate)[ +]+/i

const credentials = /\b(?:bearer|basic)[\s+]+([\w.~/=-][\w.~+/=-]+)/gi

/** The forms of keys of well-known services, and of ours. The text before one is not part of a longer word. */
const forms = [
  /(?:^|[^A-Za-z0-9])((?:sk|rk|pk)_(?:live|test)_\w+)/g,
  /(?:^|[^A-Za-z0-9])(sk-[\w-]{8,})/g,
  /(?:^|[^A-Za-z0-9])(key_[a-z2-7]{16})/g,
  /(?:^|[^A-Za-z0-9])(gh[opsur]_[A-Za-z0-9]{8,})/g,
  /(?:^|[^A-Za-z0-9])(github_pat_\w{8,})/g,
  /(?:^|[^A-Za-z0-9])(glpat-[\w-]{8,})/g,
  /(?:^|[^A-Za-z0-9])(xox[a-z]-[\w-]{8,})/g,
  /(?:^|[^A-Za-z0-9])((?:AKIA|ASIA)[A-Z0-9]{16})/g,
  /(?:^|[^A-Za-z0-9])(AIza[\w-]{8,})/g,
  /(-----BEGIN [^-]*-----[^-]*)/g,
]

/** A JSON Web Token, or what a message quotes of a long one. */
const tokens = /(?:^|[^\w-])(eyJ[\w-]+\.[\w-]+(?:\.[\w-]*|…))/g

const webhookSecrets = /(whsec_[\w+/=-]+)/g

/** Fast path: most strings contain none of these beginnings. */
const beginning = /bearer|basic|whsec_|[srp]k[_-]|key_|gh[opsur]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|eyJ|-----BEGIN/i

function findForms(text: string, spans: SecretSpan[]): void {
  if (!beginning.test(text)) return
  for (const form of [credentials, ...forms, tokens, webhookSecrets])
    for (const { 0: whole, 1: secret, index } of text.matchAll(form)) {
      if (form === credentials && (secret!.length < 4 || /^[a-z]{1,15}$/i.test(secret!))) continue
      const end = index + whole.length
      spans.push({ start: end - secret!.length, end, secret: withoutWorld(secret!) })
    }
}

export function addSecret(text: string, start: number, end: number, name: string, spans: SecretSpan[]): void {
  const value = text.slice(start, end)
  if (value === '' || isCount(name, value)) return
  const prefix = scheme.exec(value.slice(0, 100))?.[0].length ?? 0
  const kept = prefix < value.length ? prefix : 0
  spans.push({ start: start + kept, end, secret: withoutWorld(value.slice(kept)) })
}

export function withoutWorld(secret: string): string {
  const at = secret.lastIndexOf('@')
  return at > 0 && /^[\w.-]{1,64}$/.test(secret.slice(at + 1)) ? secret.slice(0, at) : secret
}
