import { ApiError } from '../definitions/errors.ts'

/** How many problems one message tells of, and about how many characters it may have. */
const maxListed = 10
const longest = 600

/** Where what is wrong with a request is noted. */
export interface Problems {
  /** Notes a problem. @param tell makes its sentence, if there is room for one more. */
  add(tell: () => string): void
}

/** Gathers all that is wrong with a request, so that one message tells of everything. */
export class Refusal implements Problems {
  readonly #sentences: string[] = []
  #length = 0
  #untold = 0

  add(tell: () => string): void {
    if (this.#sentences.length >= maxListed || this.#length >= longest) {
      this.#untold++
      return
    }
    const sentence = tell()
    this.#sentences.push(sentence)
    this.#length += sentence.length
  }

  /** @throws ApiError 400 when there was a problem. */
  throwIfAny(): void {
    if (this.#sentences.length === 0) return
    const rest =
      this.#untold === 0
        ? []
        : [`There ${this.#untold === 1 ? 'is 1 more problem' : `are ${this.#untold} more problems`}.`]
    throw new ApiError('invalid_request', [...this.#sentences, ...rest].join(' '))
  }
}
