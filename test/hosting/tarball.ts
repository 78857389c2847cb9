import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, toUserEnvironment } from '../package/packed.ts'

/** The package as npm packs it. */
export interface Tarball {
  readonly file: string
  remove(): void
}

/** Packs the package into a folder of its own. */
export function packTarball(): Tarball {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-tarball-'))
  const options = { cwd: folder, encoding: 'utf8', env: environmentFor(folder), stdio: 'pipe' } as const
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', root, '--ignore-scripts', '--json'], options))
  return { file: join(folder, filename), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

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
