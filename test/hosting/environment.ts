import { join } from 'node:path'
import { toUserEnvironment } from '../package/packed.ts'

/** What a shell of a machine has where only this package is to be had: npm asks no registry. @param folder for npm's cache */
export function environmentFor(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(toUserEnvironment()).filter(([name]) => !name.startsWith('GREENHOUSE_'))
  return {
    ...Object.fromEntries(own),
    npm_config_cache: join(folder, '.npm'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
}
