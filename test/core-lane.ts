/**
 * The folders of `npm run test:core`: the behaviour of the APIs, from the source, through the core
 * alone. It takes no build, no socket, no other process and no browser.
 */
export const core =
  'test/{apps,auth,clock,conversations,core,deployments,errors,fixtures,journal,judging,keys,malformations,own,payments,plans,plants,rate-limit,scenarios,usage,validation,worlds}/**/*.test.ts'

/**
 * The files of these folders that need one of them, or try many random requests: `npm test` runs
 * them.
 */
export const left = [
  'test/**/*{model,whatever,random}*.test.ts',
  'test/{journal/reason,worlds/reset}.test.ts',
  'test/auth/secrets.test.ts',
  'test/auth/ways-out.test.ts',
  'test/clock/moves.test.ts',
  'test/clock/texts.test.ts',
  'test/core/close.test.ts',
  'test/errors/codes.test.ts',
  'test/errors/texts.test.ts',
  'test/fixtures/falls-due.test.ts',
  'test/fixtures/story.test.ts',
  'test/journal/bound.test.ts',
  'test/journal/entry.test.ts',
  'test/journal/left.test.ts',
  'test/judging/strict-mode.test.ts',
  'test/judging/violations.test.ts',
  'test/keys/keys.test.ts',
  'test/own/config.test.ts',
  'test/own/served.test.ts',
  'test/payments/credits-and-purchases.test.ts',
  'test/plans/known.test.ts',
  'test/rate-limit/budgets.test.ts',
  'test/scenarios/choices.test.ts',
  'test/scenarios/determinism.test.ts',
  'test/scenarios/effects/deliveries.test.ts',
  'test/scenarios/effects/replies.test.ts',
  'test/scenarios/faults/no-reply.test.ts',
  'test/scenarios/inline.test.ts',
  'test/scenarios/list.test.ts',
  'test/scenarios/narrowing.test.ts',
  'test/scenarios/switching/msw.test.ts',
  'test/validation/json.test.ts',
  'test/validation/one-sentence.test.ts',
  'test/validation/words.test.ts',
  'test/worlds/bound.test.ts',
  'test/worlds/isolation.test.ts',
]
