/** The value at `share` (0 to 1) of the sorted values, straight between neighbours. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = Math.floor(at)
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low)
}

export const median = (values) => quantile(values, 0.5)

/**
 * The median and the middle half of the ratios of two lists that were measured round by round: the
 * machine may become slower meanwhile, for both.
 */
export function toRatio(ours, theirs) {
  const rounds = ours.map((value, round) => value / theirs[round])
  return { value: median(rounds), low: quantile(rounds, 0.25), high: quantile(rounds, 0.75) }
}
