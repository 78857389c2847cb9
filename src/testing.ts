export { createWithWorld, withWorld } from './testing/with-world.ts'
export type {
  MswServer,
  StrictChecks,
  TestGreenhouseOptions,
  WithWorld,
  WithWorldOptions,
  WorldApi,
  WorldFixtures,
} from './testing/with-world.ts'
