/** What has to be undone if the work under way throws, and what waits until it succeeds. */
interface Transaction {
  readonly undo: (() => void)[]
  readonly afterwards: (() => void)[]
}

/** Work is synchronous, so at most one transaction is under way. */
let current: Transaction | undefined

/** Runs work that happens as a whole or not at all: when it throws, every record is as before. Inside another transaction it is a part of that. */
export function transact<T>(work: () => T): T {
  if (current) return work()
  const transaction: Transaction = { undo: [], afterwards: [] }
  current = transaction
  let result: T
  try {
    result = work()
  } catch (error) {
    // What undoing tells or undoes itself goes nowhere.
    current = { undo: [], afterwards: [] }
    for (const undo of transaction.undo.reverse()) undo()
    current = undefined
    throw error
  }
  current = undefined
  for (const work of transaction.afterwards) work()
  return result
}

/** Whether a transaction is under way. Saves the closure of `onRollback` where there is none. */
export function isTransacting(): boolean {
  return current !== undefined
}

/** Runs `undo` if the transaction under way fails. The last write is undone first. */
export function onRollback(undo: () => void): void {
  current?.undo.push(undo)
}

/** Runs work that cannot be undone, such as a delivery, once the transaction under way succeeds; at once when there is none. */
export function onCommit(work: () => void): void {
  if (current) current.afterwards.push(work)
  else work()
}
