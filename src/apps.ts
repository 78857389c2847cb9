export { apps } from './greenhouse/apps.ts'
