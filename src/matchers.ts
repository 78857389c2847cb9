export { greenhouseMatchers } from './testing/matchers.ts'
export type { MatcherResult } from './testing/matchers.ts'
export type { ViolationQuery } from './greenhouse/journal.ts'
