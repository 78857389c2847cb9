export { loadFixtures, loadScenarios } from './load.ts'
