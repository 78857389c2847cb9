/** Counts what begins, because answers may come out of order: only that of the latest round counts. */
export function countRounds() {
  let latest = 0
  /** Returns whether no round begins from now on. */
  const mark = () => {
    const mine = latest
    return () => mine === latest
  }
  return {
    mark,
    begin() {
      latest++
      return mark()
    },
  }
}
