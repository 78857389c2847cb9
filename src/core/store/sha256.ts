/** The first 32 bits of the fractional parts of a root of the first primes, as the standard has them. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const found = new Int32Array(count)
  for (let number = 2, place = 0; place < count; number++) {
    let divisor = 2
    while (number % divisor !== 0) divisor++
    if (divisor === number) found[place++] = Math.floor((root(number) % 1) * 2 ** 32)
  }
  return found
}

let constants: { readonly round: Int32Array; readonly start: Int32Array } | undefined

const turned = (value: number, by: number) => (value >>> by) | (value << (32 - by))

/** The SHA-256 of some bytes (FIPS 180-4). */
export function sha256(bytes: Uint8Array): Uint8Array {
  constants ??= { round: fractions(64, Math.cbrt), start: fractions(8, Math.sqrt) }
  const { round, start } = constants
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length * 8)
  const state = start.slice()
  const words = new Int32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + at * 4)
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15]!
      const late = words[at - 2]!
      const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
      const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
      words[at] = (words[at - 16]! + low + words[at - 7]! + high) | 0
    }
    mix(state, words, round)
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, place) => digest.setInt32(place * 4, word))
  return new Uint8Array(digest.buffer)
}

/** Mixes one block into the state. */
function mix(state: Int32Array, words: Int32Array, round: Int32Array): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let at = 0; at < 64; at++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + high + ((e & f) ^ (~e & g)) + round[at]! + words[at]!) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

/** The HMAC with SHA-256 of some bytes (RFC 2104). */
export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const padded = (value: number) => block.map((byte) => byte ^ value)
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), bytes))))
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
