/** The share of full size at which repeating tests run: `TEST_SOAK=1` is full size. */
const share = Math.min(1, Math.max(0, Number(process.env['TEST_SOAK'] ?? 0) || 0))

export const soaks = share === 1

/** Returns the number of repetitions: full, usual, or in between. */
export function times(full: number, usual: number): number {
  return Math.round(usual + (full - usual) * share)
}
