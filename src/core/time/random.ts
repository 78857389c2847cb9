import { cached } from '../contract/cache.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

export interface Random {
  next(): number
  id(prefix: string): string
  fork(): Random
}

type State = readonly [a: number, b: number, c: number, counter: number]

/** Each purpose has its own, so an extra draw in one changes no other. sfc32, seeded by FNV-1a. */
export function createRandom(seed: number, name: string): Random {
  const random = fromState([
    hash(`${seed}:${name}:a`),
    hash(`${seed}:${name}:b`),
    hash(`${seed}:${name}:c`),
    1,
  ])
  for (let warmUp = 0; warmUp < 12; warmUp++) random.next()
  return random
}

function fromState([a, b, c, counter]: State): Random {
  const draw = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  return {
    next: () => draw() / 2 ** 32,
    id(prefix) {
      let text = prefix + '_'
      for (let word = 0; word < 4; word++) {
        const bits = draw()
        text +=
          letters.charAt(bits & 31) +
          letters.charAt((bits >>> 8) & 31) +
          letters.charAt((bits >>> 16) & 31) +
          letters.charAt((bits >>> 24) & 31)
      }
      return text
    },
    fork: () => fromState([a, b, c, counter]),
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value
}

export interface ChanceState {
  readonly seed: number
  readonly streams: ReadonlyMap<string, Random>
}

export class Chance {
  seed: number
  #streams: Map<string, Random> | undefined
  #onwardStreams: Map<string, Random> | undefined
  #restores = 0
  restarts: number

  constructor(seed: number, restarts: number) {
    this.seed = seed
    this.restarts = restarts
  }

  random(purpose: string): Random {
    return this.#find((this.#streams ??= new Map()), purpose, purpose)
  }

  /**
   * For ids that leave the world. After a restore it gives others, because earlier ones are known
   * outside.
   */
  onwardRandom(purpose: string): Random {
    const name = this.#restores === 0 ? purpose : `${purpose} after restore ${this.#restores}`
    return this.#find((this.#onwardStreams ??= new Map()), purpose, name)
  }

  #find(streams: Map<string, Random>, purpose: string, name: string): Random {
    const whole = this.restarts === 0 ? name : `${name} after restart ${this.restarts}`
    return cached(streams, purpose, () => createRandom(this.seed, whole))
  }

  reseed(seed: number, restarts = this.restarts): void {
    this.seed = seed
    this.restarts = restarts
    this.#streams = undefined
    this.#onwardStreams = undefined
  }

  save(): ChanceState {
    return {
      seed: this.seed,
      streams: forked(this.#streams ?? new Map()),
    }
  }

  restore({ seed, streams }: ChanceState): void {
    this.reseed(seed)
    this.#streams = forked(streams)
    this.#restores++
  }
}

function forked(streams: ReadonlyMap<string, Random>): Map<string, Random> {
  return new Map(Array.from(streams, ([purpose, stream]) => [purpose, stream.fork()]))
}

export function newId(
  records: { get(id: string): unknown },
  random: Random,
  prefix: string,
): string {
  let id: string
  do id = random.id(prefix)
  while (records.get(id) !== undefined)
  return id
}
