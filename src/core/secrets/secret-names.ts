import { cached } from '../contract/across-builds.ts'
import { decodings } from './decoded-text.ts'

/** Parts of a name that mark its value as a secret, at any position: `X-Auth-Token`, `clientSecret`, `PHPSESSIONID`. */
const anywhere =
  /token|secret|passw|(?:card|account|cc)(?:number|no(?!t|d))|creditcard|securitycode|passphrase|passcode|credential|auth|session|sessid|(?:api|access|auth|private|secret|app|signing|encryption|master|user|account|license|client|service|storage|subscription|shared)key/

/** Words that only look like a secret: `author`, the duration of a `session`. */
const harmless =
  /author(?!i[sz])|session(?:s$|duration|length|count|time|start|end|type|status)|token(?:s?(?:count|usage|limit|budget)|type|iz)/g

/** Words that mark a secret only when they stand alone: `?key=`, `sig=`, but not `keyboard=`, `monkey=`. */
const words = new Set([
  'key',
  'pass',
  'pwd',
  'jwt',
  'sid',
  'sig',
  'signature',
  'bearer',
  'cookie',
  'cookies',
  'otp',
  'pin',
  'pat',
  'cvc',
  'cvv',
])

/** Words that make a `key` after them harmless: `idempotency_key`. */
const openKeys = new Set([
  'idempotency',
  'public',
  'primary',
  'foreign',
  'sort',
  'partition',
  'cache',
  'websocket',
  'object',
])

/** Fast path: most names contain no secret word and no escape. */
const suspicious =
  /key|token|secret|pass|cred|auth|sess|pwd|jwt|sid|sig|bearer|cookie|otp|pin|pat|cvc|cvv|card|number|code|%|\\u|[\uff01-\uff5e]/i

const known = new Map<string, boolean>()

const maxKnown = 1_000
const longestKnown = 100

export function isSecretName(name: string): boolean {
  if (!suspicious.test(name)) return false
  return name.length > longestKnown ? hasSecretWord(name) : cached(known, maxKnown, name, hasSecretWord)
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
  return separate.some((word, index) => words.has(word) && !(word === 'key' && openKeys.has(separate[index - 1] ?? '')))
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
