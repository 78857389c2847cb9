export * from './testing/matchers.ts'
