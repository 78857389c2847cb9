const letters = 'abcdefghijklmnopqrstuvwxyz234567'

export interface Random {
  next(): number
  id(prefix: string): string
  fork(): Random
}

type State = readonly [a: number, b: number, c: number, counter: number]

/**
 * Creates the generator of a seed and a name. Each purpose has its own, so an extra draw in one does not change
 * another. The algorithm is sfc32, seeded by FNV-1a over seed and name.
 */
export function createRandom(seed: number, name: string): Random {
  const random = fromState([hash(`${seed}:${name}:a`), hash(`${seed}:${name}:b`), hash(`${seed}:${name}:c`), 1])
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
          letters[bits & 31]! +
          letters[(bits >>> 8) & 31]! +
          letters[(bits >>> 16) & 31]! +
          letters[(bits >>> 24) & 31]!
      }
      return text
    },
    fork: () => fromState([a, b, c, counter]),
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value
}
