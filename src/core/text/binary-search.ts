/**
 * Returns the first of `length` indexes for which `isBefore` is false, or `length`. Searches in halves, so `isBefore` must be
 * true up to some index and false from there on.
 */
export function binarySearch(length: number, isBefore: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
