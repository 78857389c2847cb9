export { loadFixtures, loadScenarios } from './files/load.ts'
export { watchFolders, type WatchOptions } from './files/watch.ts'
