import { isCount, isSecretName, isSecretParameter } from './secret-names.ts'

export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** The secret value, without quotes and scheme; empty if the place is hidden without reading it. */
  readonly secret: string
  /** Whether it is a JSON number, which needs quotes when it is replaced. */
  readonly isNumber?: boolean
}

/**
 * The kind of a string: the query of a URL or a form (`url`), a path, or any other text. It decides what ends a parameter's
 * value: `&`, `;`, `#` or a space; in a path also `/` or `?`; in other text also a quote or an angle bracket.
 */
export type TextKind = 'url' | 'path' | 'text'

/** The most secrets of one kind to hide one by one. Text after them is hidden entirely: no normal text has so many. */
const maxPositions = 300

export function findSpans(text: string, kind: TextKind, spans: SecretSpan[]): void {
  if (text.includes('=')) findParameters(text, kind, spans)
  if (text.includes('://')) findUserInfo(text, spans)
  findMembers(text, spans)
  findForms(text, spans)
}

const beforeName = codes('?&;#\'"<>,{}()|/: \t\r\n\\')
const endOfUrlValue = codes('&;# \t\r\n')
const endOfPathValue = codes('&;# \t\r\n/?')
const endOfTextValue = codes('&;# \t\r\n"<>')

function findParameters(text: string, kind: TextKind, spans: SecretSpan[]): void {
  const ends = kind === 'url' ? endOfUrlValue : kind === 'path' ? endOfPathValue : endOfTextValue
  const max = spans.length + maxPositions
  let from = 0
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', from)) {
    if (spans.length >= max) return hideRest(text, from, spans)
    let start = equals
    while (start > from && !beforeName[text.charCodeAt(start - 1)]) start--
    from = equals + 1
    const name = text.slice(start, equals)
    const quote = text[from]
    if (kind === 'text' && (quote === '"' || quote === "'")) {
      if (name === 'name') from = findFormPart(text, from, spans)
      if (!isSecretName(name)) continue
      const close = text.indexOf(quote, from + 1)
      const end = close < 0 ? text.length : close
      add(text, from + 1, end, name, spans)
      from = end
      continue
    }
    if (!(kind === 'text' ? isSecretName(name) : isSecretParameter(name))) continue
    let end = from
    while (
      end < text.length &&
      !ends[text.charCodeAt(end)] &&
      !(kind === 'text' && text[end] === '\\' && text[end + 1] === '"')
    )
      end++
    // `a;b` is one value if no parameter follows the semicolon.
    while (kind === 'url' && text[end] === ';') {
      let next = end + 1
      while (next < text.length && text[next] !== '=' && !ends[text.charCodeAt(next)]) next++
      if (text[next] === '=') break
      end = next
    }
    add(text, from, end, name, spans)
    from = end
  }
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
  add(text, start, end, '', spans)
  return end
}

function findUserInfo(text: string, spans: SecretSpan[]): void {
  const max = spans.length + maxPositions
  for (let mark = text.indexOf('://'); mark >= 0; mark = text.indexOf('://', mark + 3)) {
    if (spans.length >= max) return hideRest(text, mark, spans)
    let at = -1
    for (let index = mark + 3; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code === 64 /* @ */) at = index
      else if (endOfAuthority[code]) break
    }
    if (at > mark + 3) add(text, mark + 3, at, '', spans)
  }
}

const endOfAuthority = codes('/?# \t\r\n"\'<>\\')

/** `"token": "x"`, `"secret": 12345`, and everything in `"credentials": { … }`. The text may be incomplete, or not JSON. */
function findMembers(text: string, spans: SecretSpan[]): void {
  const max = spans.length + maxPositions
  let index = text.indexOf('"')
  while (index >= 0) {
    if (spans.length >= max) return hideRest(text, index, spans)
    const end = endOfString(text, index)
    const colon = skipSpace(text, end + 1)
    if (text[colon] !== ':' || !isSecretName(text.slice(index + 1, end))) {
      // A string's end may be the next one's beginning: decoded JSON within JSON has unbalanced quotes.
      index = end < text.length ? end : -1
      continue
    }
    const name = text.slice(index + 1, end)
    index = text.indexOf('"', findValue(text, skipSpace(text, colon + 1), name, spans))
  }
}

function findValue(text: string, start: number, name: string, spans: SecretSpan[]): number {
  const first = text[start]
  if (first === '"') {
    const end = endOfString(text, start)
    add(text, start + 1, end, name, spans)
    return end + 1
  }
  // `the scenario "expired-key": there is none` is a sentence.
  if (first !== '{' && first !== '[')
    return first !== undefined && /[-\d]/.test(first) ? findScalar(text, start, name, spans) : start
  const max = spans.length + maxPositions
  let depth = 1
  let index = start + 1
  while (depth > 0 && index < text.length) {
    if (spans.length >= max) {
      hideRest(text, index, spans)
      return text.length
    }
    const code = text[index]!
    if (code === '{' || code === '[') depth++
    else if (code === '}' || code === ']') depth--
    else if (code === '"') {
      const end = endOfString(text, index)
      if (text[skipSpace(text, end + 1)] !== ':') add(text, index + 1, end, '', spans)
      index = end
    } else if (!between[code.charCodeAt(0)]) {
      index = findScalar(text, index, '', spans)
      continue
    }
    index++
  }
  return index
}

const between = codes(',: \t\r\n')
const endOfScalar = codes(',}]" \t\r\n')

/** Adds a value without quotes, unless it is `true`, `false` or `null`. Returns its end. @param start where it begins. */
function findScalar(text: string, start: number, name: string, spans: SecretSpan[]): number {
  let end = start
  while (end < text.length && !endOfScalar[text.charCodeAt(end)]) end++
  const value = text.slice(start, end)
  if (value !== 'true' && value !== 'false' && value !== 'null' && !isCount(name, value))
    spans.push({ start, end, secret: value, isNumber: true })
  return end
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\' && quote - 1 - slashes > start) slashes++
    if (slashes % 2 === 0) return quote
  }
  return text.length
}

function skipSpace(text: string, index: number): number {
  while (text[index] === ' ' || text[index] === '\n' || text[index] === '\t' || text[index] === '\r') index++
  return index
}

const scheme = /^(?:bearer|basic|digest|token|apikey|negotiate)[ +]+/i

/** Text after `Bearer ` or `Basic `. `findForms` leaves out plain words. */
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
  for (const form of [credentials, ...forms, tokens, webhookSecrets]) {
    const max = spans.length + maxPositions
    for (const { 0: whole, 1: secret, index } of text.matchAll(form)) {
      if (spans.length >= max) {
        hideRest(text, index, spans)
        break
      }
      if (form === credentials && (secret!.length < 4 || /^[a-z]{1,15}$/i.test(secret!))) continue
      const end = index + whole.length
      spans.push({ start: end - secret!.length, end, secret: withoutWorld(secret!) })
    }
  }
}

function hideRest(text: string, start: number, spans: SecretSpan[]): void {
  spans.push({ start, end: text.length, secret: '' })
}

function add(text: string, start: number, end: number, name: string, spans: SecretSpan[]): void {
  const value = text.slice(start, end)
  if (value === '' || isCount(name, value)) return
  const prefix = scheme.exec(value.slice(0, 100))?.[0].length ?? 0
  const kept = prefix < value.length ? prefix : 0
  spans.push({ start: start + kept, end, secret: withoutWorld(value.slice(kept)) })
}

export function addWhole(value: string, spans: SecretSpan[]): void {
  add(value, 0, value.length, '', spans)
}

export function withoutWorld(secret: string): string {
  const at = secret.lastIndexOf('@')
  return at > 0 && /^[\w.-]{1,64}$/.test(secret.slice(at + 1)) ? secret.slice(0, at) : secret
}

function codes(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
