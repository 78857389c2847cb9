// Why a cell can't be. A reason counts only where the output of that very run says so.
const reasons = [
  {
    when: ({ msw, node }) => msw === '3' && node === '20',
    says: /msw 3\.[\d.]+ runs on Node 22\.12 or later, and this is Node 20/,
    reason: 'msw 3 needs Node 22.12 or later',
  },
  {
    when: ({ runner, environment }) => runner === 'vitest-3.2' && environment === 'vmThreads',
    says: /request for '[^']+' (is not in cache|is from a module not been linked|can not be resolved on module)/,
    reason:
      "`createTest({ plants, apps })` fails in the pool vmThreads of Vitest 3: it can't load msw/node later on. `createHandlers` in a `setupServer` of your own, and `test` with its server, pass.",
  },
]

/** The reason why a cell failed as it has to; `undefined` where it should have passed. */
export function findReason(cell, output) {
  return reasons.find(({ when, says }) => when(cell) && says.test(output))?.reason
}
