export function toReason(thrown: unknown): string {
  try {
    return thrown instanceof Error && String(thrown.message) !== '' ? String(thrown.message) : String(thrown)
  } catch {
    // Objects without a prototype, revoked proxies, getters that throw.
    return 'a value that cannot be converted to a string'
  }
}

export function printFailure(what: string, thrown: unknown): void {
  try {
    console.error(what, thrown)
  } catch {
    console.error(what, toReason(thrown))
  }
}

/** Catches and prints the rejection of a user's asynchronous callback. Unhandled, it would end the process. */
export function reportRejection(what: string, result: unknown): void {
  if (result instanceof Promise) result.catch((error: unknown) => printFailure(what, error))
}
