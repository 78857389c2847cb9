/**
 * The processor time that something synchronous takes, in milliseconds: the least of several times, since whatever else runs
 * can only add to it. Only ever compare it with that of other work on the same machine.
 */
export function workOf(run: () => unknown, times = 5): number {
  let least = Infinity
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
