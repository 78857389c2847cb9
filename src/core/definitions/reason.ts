/** What can be told of anything that was thrown: of an error its message. Never throws. */
export function toReason(thrown: unknown): string {
  try {
    return thrown instanceof Error && String(thrown.message) !== '' ? String(thrown.message) : String(thrown)
  } catch {
    // An object without a prototype, a revoked proxy, a getter that throws.
    return 'something that has no text'
  }
}

/** Tells on the console what failed and why. Never throws, whatever was thrown. */
export function report(what: string, thrown: unknown): void {
  try {
    console.error(what, thrown)
  } catch {
    console.error(what, toReason(thrown))
  }
}

/** Catches the rejection of a user's asynchronous callback, which would end the process. */
export function reportRejection(what: string, result: unknown): void {
  if (result instanceof Promise) result.catch((error: unknown) => report(what, error))
}
