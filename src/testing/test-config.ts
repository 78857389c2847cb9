import { findConfig } from '../files/find-config.ts'
import type { LoadedConfig } from '../files/load-config.ts'

/** Loads the configuration file for tests: GREENHOUSE_CONFIG, or the nearest one. If there is none, loads no code. */
export function loadTestConfig(): LoadedConfig | Promise<LoadedConfig> {
  const file = findConfig(process.env['GREENHOUSE_CONFIG'], process.cwd())
  if (file === undefined) return { file, greenhouse: {}, server: {}, bases: {} }
  return import('../files/load-config.ts').then(({ loadConfig }) => loadConfig({ file }))
}
