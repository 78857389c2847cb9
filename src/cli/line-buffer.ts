/** How many bytes of lines wait at most before they are written. */
const size = 64 * 1_024

/** A character of UTF-16 takes no more bytes than this in UTF-8. */
const mostBytes = 3

/** How many buffers are kept for lines to come. */
const mostFree = 4

/**
 * Lines that wait to be written, as bytes. As texts they would outlive the collection of young garbage, which then copies
 * each of them twice.
 */
export class LineBuffer {
  readonly #free: Buffer[] = []
  #bytes: Buffer | undefined
  #used = 0
  #count = 0

  /** How many lines wait. */
  get count(): number {
    return this.#count
  }

  /** Whether there is room for a line. One that is larger than all room fits when nothing waits. */
  fits(line: string): boolean {
    // One that was larger than all room has bytes of its own, which are full.
    return this.#used === 0 || (this.#bytes!.length === size && this.#used + line.length * mostBytes <= size)
  }

  /** Adds a line that fits. */
  add(line: string): void {
    this.#count++
    const most = line.length * mostBytes
    if (most > size) {
      this.#bytes = Buffer.from(line)
      this.#used = this.#bytes.length
      return
    }
    const bytes = (this.#bytes ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(size))
    this.#used += bytes.write(line, this.#used)
  }

  /** Writes all lines at once. The bytes are used again when the stream has written them. @param onWritten is told when, and what failed. */
  writeTo(stream: NodeJS.WritableStream, onWritten: (error?: Error | null) => void): void {
    const bytes = this.#bytes!
    stream.write(bytes.subarray(0, this.#used), (error) => {
      onWritten(error)
      if (bytes.length === size && this.#free.length < mostFree) this.#free.push(bytes)
    })
    this.#bytes = undefined
    this.#clear()
  }

  /** Forgets all lines, and returns how many they were. */
  drop(): number {
    const count = this.#count
    if (this.#bytes?.length !== size) this.#bytes = undefined
    this.#clear()
    return count
  }

  #clear(): void {
    this.#used = 0
    this.#count = 0
  }
}
