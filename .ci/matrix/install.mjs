import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The environment without variables of `npm run`, to install packages as a user does. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_cache)|vitest|node_env$|node_options$|ci$)/i.test(name),
  ),
)

const npm = (cwd, ...args) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: environment })

/** Packs the package and returns the path of the tarball. */
export function pack(root, folder) {
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, [join(root, 'build/build.mjs'), '--if-stale'], { stdio: 'inherit' })
  const [{ filename }] = JSON.parse(npm(folder, 'pack', root, '--ignore-scripts', '--json'))
  return join(folder, filename)
}

/** Installs packages and the tarball into a folder. Packages that are installed already are not requested again. */
export function install(folder, packages, tarball) {
  const manifest = JSON.stringify({ name: 'consumer', private: true, dependencies: packages }, null, 2)
  const file = join(folder, 'package.json')
  const stamp = join(folder, 'installed.json')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== manifest) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, manifest)
    npm(
      folder,
      'install',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--prefer-offline',
      '--legacy-peer-deps',
      '--ignore-scripts',
    )
    writeFileSync(stamp, manifest)
  }
  if (!tarball) return
  const installed = join(folder, 'node_modules/greenhouse-mock')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
}

/** Installs packages of a folder's scripts into the cache, and links them beside the scripts. @param home the folder of the scripts */
export function installBeside(home, packages) {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/greenhouse', import.meta.url))
  const folder = join(cache, `packages-${basename(home)}`)
  install(folder, packages)
  rmSync(join(home, 'node_modules'), { recursive: true, force: true })
  symlinkSync(join(folder, 'node_modules'), join(home, 'node_modules'), 'junction')
}

/** Returns the version of a package in a folder; `undefined` if it is not installed. */
export function versionIn(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}
