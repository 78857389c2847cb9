let made = 0

/** What stands for the global `crypto` in the package. A record of @msw/data needs a name that no other record of the process has, and no more. */
export const crypto = { randomUUID: () => `record-${++made}` }
