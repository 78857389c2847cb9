/** The first of `length` places that `isBefore` does not hold for, found by halving: it holds for all places before that, and for none after it. */
export function halve(length: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
