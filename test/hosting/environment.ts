import { join } from 'node:path'
import { type Flags, serveCommandFlags } from '../../src/cli/flags/flags.ts'
import { toUserEnvironment } from '../package/packed.ts'

/**
 * The environment of a machine that can only install this package: npm asks no registry. @param
 * folder for npm's cache
 */
export function environmentFor(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(toUserEnvironment()).filter(
    ([name]) => !name.startsWith('GREENHOUSE_'),
  )
  return {
    ...Object.fromEntries(own),
    npm_config_cache: join(folder, '.npm'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
}

/** The variables that `greenhouse-mock serve` reads. */
export const serveVariables: readonly string[] = Object.values(serveCommandFlags as Flags).map(
  (flag) => flag.variable!,
)
