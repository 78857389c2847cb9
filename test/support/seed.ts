import fc from 'fast-check'

// Random cases are the same at each run of `npm test` and of CI, so that they cannot be red for one
// person and green for the next. What repeats something (see soak.ts) draws others each time;
// fast-check prints the seed of what fails.
const repeats = Number(process.env['TEST_SOAK'] ?? 0) > 0
if (!repeats) fc.configureGlobal({ seed: 20_261_129 })
