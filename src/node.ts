export { loadFixtures, loadScenarios } from './files/load.ts'
export { loadCase } from './files/load.ts'
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from './files/load-config.ts'
export { watchFolders, type WatchOptions } from './files/watch.ts'
