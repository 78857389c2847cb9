// Prepares a release without publishing it: `npm run release`. Checks the tree, the version and the changelog, runs
// CI's checks, packs the package and checks the tarball. At the end it prints the commands that publish.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: 'inherit' })
const read = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()

function step(title, work) {
  console.log(`\n== ${title}`)
  return work()
}

function assert(holds, message) {
  if (holds) return
  console.error(`Failed to release ${name} ${version}: ${message}`)
  process.exit(1)
}

step('The tree, the version and the changelog', () => {
  assert(read('git', 'status', '--porcelain') === '', 'there are changes that are not committed.')
  assert(
    read('git', 'tag', '--list', `v${version}`) === '',
    `the tag v${version} is there already. Run npm version first.`,
  )
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  assert(changelog.includes(`\n## [${version}]`), `CHANGELOG.md has no section "## [${version}]".`)
})
step('What CI runs', () => run(join(root, '.ci/run')))
const tarball = step('The tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-release-'))
  const [{ filename, size, files }] = JSON.parse(read('npm', 'pack', '--json', '--pack-destination', folder))
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
  run('npx', ...attw, '--exclude-entrypoints', 'vitest')
  run('npx', ...attw, '--entrypoints', 'vitest', '--profile', 'esm-only')
})
console.log(`
Nothing is published. To publish:
  git tag v${version} && git push --tags
  npm publish ${tarball} --provenance --access public   # provenance needs a CI with OIDC`)
