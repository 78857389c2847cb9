interface Transaction {
  readonly undo: (() => void)[]
  readonly afterwards: (() => void)[]
}

/** Work is synchronous, so there is at most one transaction. */
let current: Transaction | undefined

/** If the work throws, every record is as before. Within another transaction, it becomes part of that one. */
export function transact<T>(work: () => T): T {
  if (current) return work()
  const transaction: Transaction = { undo: [], afterwards: [] }
  current = transaction
  let result: T
  try {
    result = work()
  } catch (error) {
    // Changes made while undoing are not recorded.
    current = { undo: [], afterwards: [] }
    for (const undo of transaction.undo.reverse()) undo()
    current = undefined
    throw error
  }
  current = undefined
  for (const work of transaction.afterwards) work()
  return result
}

/** Whether a transaction is running. Ask before `onRollback`, to create its closure only then. */
export function isTransacting(): boolean {
  return current !== undefined
}

export function onRollback(undo: () => void): void {
  current?.undo.push(undo)
}

/** Runs work that cannot be undone, such as a delivery, when the transaction succeeds; immediately without one. */
export function onCommit(work: () => void): void {
  if (current) current.afterwards.push(work)
  else work()
}
