import { checkOptions, withCallerStack } from '../../core/contract/options.ts'
import { configRules } from './settings.ts'
import type { GreenhouseConfig } from './types.ts'

/**
 * Types a configuration, and checks it.
 * @example export default defineConfig({ port: 4100, fixtures: './fixtures', use: ['slow'] })
 * @throws TypeError for an unknown setting or a value of the wrong type; RangeError for a value out of range.
 */
export function defineConfig(config: GreenhouseConfig): GreenhouseConfig {
  return withCallerStack(defineConfig, () => {
    checkOptions('defineConfig', config, configRules)
    return config
  })
}
