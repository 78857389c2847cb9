export { loadFixtures, loadScenarios } from './load.ts'
export { watchFolders, type WatchOptions } from './watch.ts'
