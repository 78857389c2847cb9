export { default } from './testing/jest/preset.ts'
