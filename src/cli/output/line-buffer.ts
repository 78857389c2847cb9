const size = 64 * 1_024

const maxBytes = 3

const maxFree = 4

/** Lines to write, as bytes. As strings they would survive V8's collection of young objects, which copies each twice. */
export class LineBuffer {
  readonly #free: Buffer[] = []
  #bytes: Buffer | undefined
  #used = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  fits(line: string): boolean {
    // A larger line gets a buffer of its own, which then is full.
    return this.#used === 0 || (this.#bytes!.length === size && this.#used + line.length * maxBytes <= size)
  }

  add(line: string): void {
    this.#count++
    const most = line.length * maxBytes
    if (most > size) {
      this.#bytes = Buffer.from(line)
      this.#used = this.#bytes.length
      return
    }
    const bytes = (this.#bytes ??= this.#free.pop() ?? Buffer.allocUnsafeSlow(size))
    this.#used += bytes.write(line, this.#used)
  }

  writeTo(stream: NodeJS.WritableStream, onWritten: (error?: Error | null) => void): void {
    const bytes = this.#bytes!
    stream.write(bytes.subarray(0, this.#used), (error) => {
      onWritten(error)
      if (bytes.length === size && this.#free.length < maxFree) this.#free.push(bytes)
    })
    this.#bytes = undefined
    this.#clear()
  }

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
