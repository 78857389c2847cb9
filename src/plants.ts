export { plants } from './greenhouse/plants.ts'
