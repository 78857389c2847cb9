// Prepares a release without publishing it: `npm run release`. Checks the manifest, the tree, the
// version and the changelog, runs CI's checks, packs the package and checks the tarball. At the end
// it says how to publish. With `--tagged`, as the workflow of releases runs it, the tag is there
// already and CI has run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { entries } from './entries.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { name, version } = manifest
const isTagged = process.argv.includes('--tagged')

const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: 'inherit' })
const read = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()

function step(title, work) {
  console.log(`\n== ${title}`)
  return work()
}

function assert(holds, message) {
  if (holds) return
  console.error(`Failed to release ${name} ${version}: ${message}`)
  process.exit(1)
}

step('The manifest', () => {
  const missing = ['repository', 'homepage', 'bugs'].filter(
    (field) => manifest[field] === undefined,
  )
  assert(
    missing.length === 0,
    `package.json has no ${missing.join(', ')}. npm's provenance compares "repository" with where the package was built. Add them when the project has a home.`,
  )
})
step('The tree, the version and the changelog', () => {
  assert(read('git', 'status', '--porcelain') === '', 'there are changes that are not committed.')
  assert(
    isTagged || read('git', 'tag', '--list', `v${version}`) === '',
    `the tag v${version} is there already. Run npm version first.`,
  )
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  assert(changelog.includes(`\n## [${version}]`), `CHANGELOG.md has no section "## [${version}]".`)
})
if (!isTagged) step('What CI runs', () => run(join(root, '.ci/run')))
const tarball = step('The tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-release-'))
  const [{ filename, size, files }] = JSON.parse(
    read('npm', 'pack', '--json', '--pack-destination', folder),
  )
  console.log(`${filename}: ${files.length} files, ${Math.round(size / 1000)} kB`)
  return join(folder, filename)
})
await step('publint', async () => {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true, pack: false })
  for (const message of messages) console.error(formatMessage(message, pkg))
  assert(messages.length === 0, 'publint found something.')
})
step('Are the types wrong?', () => {
  const attw = ['--yes', '@arethetypeswrong/cli@0.18', tarball]
  const asEsm = ['vitest', 'panel']
  const toPath = (entry) => (entry === 'index' ? '.' : entry)
  run(
    'npx',
    ...attw,
    '--entrypoints',
    ...entries.filter((entry) => !asEsm.includes(entry)).map(toPath),
  )
  run('npx', ...attw, '--entrypoints', ...asEsm, '--profile', 'esm-only')
})
console.log(`
Nothing is published. The workflow "Release" publishes a tag:
  git tag v${version} && git push origin v${version}`)
