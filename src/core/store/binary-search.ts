/**
 * Returns the first of `length` indexes for which `isBefore` is false, by binary search. It must be true for all
 * indexes before that one, and false for all after it.
 */
export function binarySearch(length: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
