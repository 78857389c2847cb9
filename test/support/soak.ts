/**
 * How much of their full size the tests that repeat a thing many times take on: `GREENHOUSE_SOAK=1` for all of it. `.ci/run`
 * takes a part, since it has to end within twenty minutes.
 */
const share = Math.min(1, Math.max(0, Number(process.env['GREENHOUSE_SOAK'] ?? 0) || 0))

/** Whether they run at full size. */
export const soaks = share === 1

/** How often to repeat a thing: in full, as usual, or between the two. */
export function times(full: number, usual: number): number {
  return Math.round(usual + (full - usual) * share)
}
