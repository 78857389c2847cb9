import fc from 'fast-check'

// Random cases are the same at each run of `npm test`, so that it cannot be red for one person and
// green for the next. At full size (see soak.ts) each run draws others; fast-check prints the seed
// of what fails.
if (process.env['TEST_SOAK'] === undefined) fc.configureGlobal({ seed: 20_261_129 })
