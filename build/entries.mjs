/** What a user can import, in the order of the documentation: `msw` is `greenhouse-mock/msw`, `index` the package's own name. */
export const entries = [
  'index',
  'msw',
  'server',
  'express',
  'node',
  'client',
  'testing',
  'vitest',
  'playwright',
  'jest',
  'jest-preset',
  'matchers',
  'config',
  'panel',
  'parts',
  'data',
  'types',
  'evidence',
]

/** Entries of 0.1 and what each has of `parts`: values, then types. They go with 0.3. */
export const replaced = {
  core: [['createGreenhouse'], 'AreaPart CoreOptions FixturePart JournalPart JudgePart ScenarioPart WebhookTools'],
  plants: [['plants'], 'AreaPart'],
  apps: [['apps'], 'AreaPart'],
  fixtures: [['fixtures', 'ownFixtures'], 'FixturePart'],
  scenarios: [['ownScenarios', 'scenarios'], 'ScenarioPart'],
  journal: [['journal'], 'JournalMemory JournalPart'],
  judge: [['judge'], 'JudgePart'],
  'webhook-tools': [['webhookTools'], 'WebhookTools'],
  case: [
    ['CaseStepError', 'cases', 'parseJson', 'replayCase', 'toCaseText'],
    'CaseDifference CasePart ReplayOptions ReplayedCase',
  ],
}

export const aliases = Object.keys(replaced)
