// `npm run docs` serves the site as you write, `npm run docs:build` builds it into
// docs/.vitepress/dist and checks what came of it: a warning, a dead link or anchor, a page that
// would ask another host, and a question that the search answers with another page, are errors.
// Installs the generator at its first use.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFaults } from './check.mjs'

const home = fileURLToPath(new URL('.', import.meta.url))
const [command = 'dev', ...flags] = process.argv.slice(2)

// The pages that the build has made of the code are here as long as this runs.
const reference = join(home, '../reference')
rmSync(reference, { recursive: true, force: true })
cpSync(join(home, '../../dist/docs'), reference, { recursive: true })
process.on('exit', () => rmSync(reference, { recursive: true, force: true }))

if (!isInstalled()) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'inherit')
const program = join(home, 'node_modules/vitepress/bin/vitepress.js')
if (command !== 'build') {
  process.exitCode = spawnSync(process.execPath, [program, command, '..', ...flags], {
    cwd: home,
    stdio: 'inherit',
  }).status
} else {
  const printed = run(process.execPath, [program, 'build', '..', ...flags], 'pipe')
  process.stdout.write(printed)
  const faults = [
    ...printed.split('\n').filter((line) => /warn|\(!\)/i.test(line)),
    ...findFaults(join(home, 'dist'), process.env['DOCS_BASE'] ?? '/'),
    ...(await (await import('./search.mjs')).findMisses(join(home, 'dist'))),
  ]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  else
    console.log(
      'No warning, no dead link, nothing from another host, and the search finds its pages.',
    )
}

/** Whether what the lock file names is installed. */
function isInstalled() {
  try {
    const read = (file) => JSON.parse(readFileSync(join(home, file), 'utf8')).packages
    const wanted = read('package-lock.json')
    const there = read('node_modules/.package-lock.json')
    return Object.entries(there).every(([name, { version }]) => wanted[name]?.version === version)
  } catch {
    return false
  }
}

/** Runs a program and returns what it printed. @throws Error with that when the program fails */
function run(program, args, output) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: home,
    encoding: 'utf8',
    stdio: ['inherit', output, output],
    env: { ...process.env, NO_COLOR: '1' },
    shell: process.platform === 'win32' && program === 'npm',
  })
  if (error) throw error
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${status}.\n${stdout ?? ''}${stderr ?? ''}`,
    )
  return `${stdout ?? ''}${stderr ?? ''}`
}
