import { ApiError } from '../contract/errors.ts'

const maxListed = 10
const longest = 600

export interface ProblemList {
  /** Adds a problem. @param describe returns its sentence; called only if the message has room for it. */
  add(describe: () => string): void
}

export class Rejection implements ProblemList {
  readonly #sentences: string[] = []
  #length = 0
  #omitted = 0

  add(describe: () => string): void {
    if (this.#sentences.length >= maxListed || this.#length >= longest) {
      this.#omitted++
      return
    }
    const sentence = describe()
    this.#sentences.push(sentence)
    this.#length += sentence.length
  }

  throwIfAny(): void {
    if (this.#sentences.length === 0) return
    const rest =
      this.#omitted === 0
        ? []
        : [`There ${this.#omitted === 1 ? 'is 1 more problem' : `are ${this.#omitted} more problems`}.`]
    throw new ApiError('invalid_request', [...this.#sentences, ...rest].join(' '))
  }
}
