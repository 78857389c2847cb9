export { loadFixtures, loadScenarios } from './files/load.ts'
export { loadCase } from './files/load-case.ts'
export { watchFolders, type WatchOptions } from './files/watch.ts'
