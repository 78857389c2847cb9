import { binarySearch } from '../text/values.ts'

/** Parts of a name that mark its value as a secret, at any position: `X-Auth-Token`, `clientSecret`, `PHPSESSIONID`. */
const anywhere =
  /token|secret|passw|(?:card|account|cc)(?:number|no(?!t|d))|creditcard|securitycode|passphrase|passcode|credential|auth|session|sessid|(?:api|access|auth|private|secret|app|signing|encryption|master|user|account|license|client|service|storage|subscription|shared)key/

/** Words that only look like a secret: `author`, the duration of a `session`. */
const harmless =
  /author(?!i[sz])|session(?:s$|duration|length|count|time|start|end|type|status)|token(?:s?(?:count|usage|limit|budget)|type|iz)/g

/** Words that mark a secret only when they stand alone: `?key=`, `sig=`, but not `keyboard=`, `monkey=`. */
const words = /^(?:key|pass|pwd|jwt|sid|sig|signature|bearer|cookies?|otp|pin|pat|cvc|cvv)$/

/** Words that make a `key` after them harmless: `idempotency_key`. */
const openKeys = /^(?:idempotency|public|primary|foreign|sort|partition|cache|websocket|object)$/

/** Fast path: most names contain no secret word and no escape. */
const suspicious =
  /key|token|secret|pass|cred|auth|sess|pwd|jwt|sid|sig|bearer|cookie|otp|pin|pat|cvc|cvv|card|number|code|%|\\u|[\uff01-\uff5e]/i

export function isSecretName(name: string): boolean {
  return suspicious.test(name) && hasSecretWord(name)
}

/** Whether a parameter of this name holds a secret, including OAuth's `code`. In JSON, `code` is usually an error's. */
export function isSecretParameter(name: string): boolean {
  return name === 'code' || isSecretName(name)
}

/** Whether the value is a count although its name looks like a secret's: `max_tokens=100` is, `tokens=abc` is not. */
export function isCount(name: string, value: string): boolean {
  return /tokens$/i.test(name) && /^\d{1,15}$/.test(value)
}

function hasSecretWord(name: string): boolean {
  const separate = fromUtf8(decodings(name).at(-1)!.text)
    // Full-width letters look the same to people.
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
  if (anywhere.test(separate.join('').replace(harmless, ' '))) return true
  return separate.some(
    (word, index) => words.test(word) && !(word === 'key' && openKeys.test(separate[index - 1] ?? '')),
  )
}

/** Decodes percent-encoded characters beyond ASCII, which `decodings` leaves as they are. */
function fromUtf8(text: string): string {
  return text.replace(/(?:%[89a-f][0-9a-f])+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}

export interface DecodedText {
  readonly text: string
  toOriginal(index: number): number
}

/** How often to decode a string: a URL in a URL's parameter in JSON is escaped several times. */
const deepest = 3

export function decodings(text: string): DecodedText[] {
  const all: DecodedText[] = [{ text, toOriginal: (index) => index }]
  while (all.length <= deepest) {
    const next = decode(all.at(-1)!)
    if (!next) break
    all.push(next)
  }
  return all
}

/** A percent-encoded character of ASCII, or an escape of JSON for one. */
const escapes = /%[0-7][\da-fA-F]|\\(?:["\\/]|u00[0-7][\da-fA-F])/g

function decode({ text, toOriginal }: DecodedText): DecodedText | undefined {
  if (!text.includes('%') && !text.includes('\\')) return undefined
  const parts: string[] = []
  // For each escape: where its character ends in the decoded text, and where the escape ends in this text.
  const after: number[] = [0]
  const before: number[] = [0]
  let length = 0
  let end = 0
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    parts.push(text.slice(end, index), toCharacter(escape))
    length += index - end + 1
    end = index + escape.length
    after.push(length)
    before.push(end)
  }
  if (parts.length === 0) return undefined
  parts.push(text.slice(end))
  return {
    text: parts.join(''),
    toOriginal(index) {
      const last = binarySearch(after.length, (at) => after[at]! <= index) - 1
      return toOriginal(before[last]! + index - after[last]!)
    },
  }
}

function toCharacter(escape: string): string {
  return escape.length === 2 ? escape[1]! : String.fromCharCode(Number.parseInt(escape.slice(-2), 16))
}
