export { greenhouseMatchers } from './testing/matchers.ts'
export type { GreenhouseMatchers, MatcherResult } from './testing/matchers.ts'
