/** Whether the tests that repeat a thing many times do so at full size: `GREENHOUSE_SOAK=1`, which `.ci/run` sets. */
export const soaks = process.env['GREENHOUSE_SOAK'] === '1'

/** How often to repeat a thing: in full where the variable asks for it, else `usual` times. */
export function times(full: number, usual: number): number {
  return soaks ? full : usual
}
