/**
 * Binary search: returns the first of `length` indexes for which `isBefore` is false. It must be true for all indexes
 * before that, and false after.
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
