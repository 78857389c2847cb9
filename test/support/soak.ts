/** How far the tests that repeat a thing many times go from their usual size to their full one: `GREENHOUSE_SOAK=1` is all the way. */
const share = Math.min(1, Math.max(0, Number(process.env['GREENHOUSE_SOAK'] ?? 0) || 0))

/** Whether they run at full size. */
export const soaks = share === 1

/** How often to repeat a thing: in full, as usual, or between the two. */
export function times(full: number, usual: number): number {
  return Math.round(usual + (full - usual) * share)
}
