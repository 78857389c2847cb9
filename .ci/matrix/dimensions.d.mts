/** A cell of the matrix. */
export interface Cell {
  readonly name: string
  readonly runner: string
  readonly environment: string
  readonly msw: string
  readonly node: string
  readonly generation: string
}
export const cells: readonly Cell[]
export const diagonal: readonly string[]
export const wideDiagonal: readonly string[]
