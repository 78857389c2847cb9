export { judge } from './greenhouse/judge.ts'
