export { createWithWorld, withWorld } from './testing/with-world.ts'
export type { WithWorld, WithWorldOptions, WorldApi, WorldFixtures } from './testing/with-world.ts'
