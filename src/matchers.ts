export { greenhouseMatchers } from './testing/matchers.ts'
export type {
  ExpectedCall,
  ExpectedCalls,
  GreenhouseAssertions,
  GreenhouseMatchers,
  MatcherResult,
  Times,
} from './testing/matchers.ts'
