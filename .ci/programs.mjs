// Runs programs, and installs what they need from npm: the checks' own packages, those of a folder
// of the matrix, the versions of Node that the package supports. `node .ci/programs.mjs` prints
// these; `node .ci/programs.mjs 26` prints the folder with the program of Node 26, for PATH.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('.', import.meta.url))

/**
 * The versions of Node: the oldest is that of package.json's `engines`, the newest that of
 * `.nvmrc`.
 */
export const nodes = ['20', '22', '24', '26']

/** The environment without variables of `npm run`, to install packages as a user does. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_cache)|vitest|node_env$|node_options$|ci$)/i.test(name),
  ),
)

const npm = (cwd, ...args) =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  })

/**
 * Runs a program to its end; kills it when it takes longer than `timeout` milliseconds, and when
 * this process exits.
 */
export function execute(program, args, { cwd, env = environment, timeout = 600_000 }) {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      process.off('exit', end)
      const code = error ? (error.code ?? error.signal) : 0
      resolve({ code, stdout, stderr, output: stdout + stderr, hangs: error?.killed === true })
    })
    child.stdin.end()
    const end = () => child.kill()
    process.on('exit', end)
  })
}

/** Packs the package and returns the path of the tarball. */
export function pack(root, folder) {
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, [join(root, 'build/build.mjs'), '--if-stale'], {
    stdio: 'inherit',
  })
  const [{ filename }] = JSON.parse(npm(folder, 'pack', root, '--ignore-scripts', '--json'))
  return join(folder, filename)
}

/**
 * Installs packages and the tarball into a folder. Packages that are installed already are not
 * requested again.
 */
export function install(folder, packages, tarball) {
  const manifest = JSON.stringify(
    { name: 'consumer', private: true, dependencies: packages },
    null,
    2,
  )
  const flags = ['--no-package-lock', '--prefer-offline', '--legacy-peer-deps']
  unlessInstalled(join(folder, 'installed.json'), manifest, () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), manifest)
    npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...flags)
  })
  if (!tarball) return
  const installed = join(folder, 'node_modules/greenhouse-mock')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
}

/** Installs the packages of the checks themselves beside them, as the lock file names them. */
export function installOwn() {
  const locked = readFileSync(join(home, 'package-lock.json'), 'utf8')
  unlessInstalled(join(home, 'node_modules/installed.json'), locked, () =>
    npm(home, 'ci', '--ignore-scripts'),
  )
}

function unlessInstalled(stamp, wanted, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  work()
  writeFileSync(stamp, wanted)
}

/** Returns the version of a package in a folder; `undefined` if it is not installed. */
export function versionIn(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
      .version
  } catch {
    return undefined
  }
}

/** Returns the program of a major version of Node: this one, or one that npm installs. */
export function findNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const own = join(process.env.CI_NODES ?? join(tmpdir(), 'greenhouse-nodes'), major)
  install(own, { node: `npm:node-${process.platform}-${process.arch}@${major}` })
  return join(own, 'node_modules/node/bin/node')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , major] = process.argv
  console.log(major ? dirname(findNode(major)) : nodes.join(' '))
}
