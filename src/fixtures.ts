export { fixtures } from './fixtures/bundled.ts'
export { ownFixtures } from './fixtures/part.ts'
export type { FixturePart } from './fixtures/part.ts'
