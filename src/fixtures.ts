export { fixtures } from './fixtures/default.ts'
export { ownFixtures } from './fixtures/part.ts'
export type { FixturePart } from './fixtures/part.ts'
