export { withGreenhouse } from './testing/jest/with-greenhouse.ts'
