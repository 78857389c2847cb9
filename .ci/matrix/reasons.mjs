// Known reasons why a cell cannot pass. A reason counts only if the output of the same run contains its text.
const reasons = [
  {
    when: ({ msw, node }) => msw === '3' && node === '20',
    says: /msw 3\.[\d.]+: it runs on Node 22\.12 or later, and this is Node 20/,
    reason: 'msw 3 needs Node 22.12 or later',
  },
  {
    when: ({ runner, msw, node }) => runner === 'vitest-5' && msw === '3' && node === '20',
    says: /Map\.groupBy is not a function/,
    reason: 'msw 3 needs Node 22.12 or later, and Vitest 5 cannot print that error in Node 20',
  },
  {
    when: ({ environment, msw }) => environment === 'jsdom' && msw === '3',
    says: /Expected signal \("AbortSignal \{\}"\) to be an instance of AbortSignal/,
    reason:
      "msw 3 hands the AbortSignal of jsdom to Node's own Request, which refuses it; so it does without Greenhouse. Use happy-dom, or msw 2.",
  },
  {
    when: ({ runner, environment, msw }) =>
      runner.startsWith('typescript-') && /node16|nodenext|node10/.test(environment) && msw === '3',
    says: /TS1479[^]*import\("msw|Cannot find module 'msw\/node'/,
    reason: 'msw 3 is an ES module: CommonJS of this TypeScript and module resolution cannot import it',
  },
  {
    when: ({ runner, environment }) => runner === 'typescript-7' && environment.startsWith('node10'),
    says: /TS5108: Option 'moduleResolution=node10' has been removed/,
    reason: 'TypeScript 7 has no moduleResolution node10',
  },
  {
    when: ({ runner, environment }) => runner === 'vitest-3.2' && environment === 'vmThreads',
    says: /request for '[^']+' (is not in cache|is from a module not been linked|can not be resolved on module)/,
    reason:
      "`createTest({ plants, apps })` fails in the pool vmThreads of Vitest 3: it can't load msw/node later on. `createHandlers` in a `setupServer` of your own, and `test` with its server, pass.",
  },
  {
    when: ({ runner, environment, node }) => runner === 'vitest-5' && environment === 'vmThreads' && node === '20',
    says: /A dynamic import callback was not specified[^]*resolveSnapshotEnvironment/,
    reason:
      "Vitest 5's pool vmThreads fails in Node 20 as soon as a worker runs a second file, also without Greenhouse: `A dynamic import callback was not specified`.",
  },
]

/** Returns the known reason for a cell's failure; `undefined` if the cell should have passed. */
export function findReason(cell, output) {
  return reasons.find(({ when, says }) => when(cell) && says.test(output))?.reason
}
