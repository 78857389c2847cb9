// Installs the packages of package.json, and this package as published, packed again each time.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

export function install() {
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (!existsSync(join(home, 'node_modules/.package-lock.json')))
    run('npm', 'install', '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund')
  const [{ filename }] = JSON.parse(run('npm', 'pack', root, '--ignore-scripts', '--json'))
  const installed = join(home, 'node_modules/greenhouse-mock')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed)
  run('tar', '-xzf', filename, '-C', installed, '--strip-components', '1')
  rmSync(join(home, filename))
}
