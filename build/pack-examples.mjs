// `npm run pack:examples`: copies the packed package into each example that uses it, so that an
// example can be copied out.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'greenhouse-pack-'))
try {
  execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [tarball] = readdirSync(folder)
  for (const example of readdirSync(join(root, 'examples'))) {
    const manifest = join(root, 'examples', example, 'package.json')
    if (!existsSync(manifest)) continue
    const spec = JSON.parse(readFileSync(manifest, 'utf8')).devDependencies['greenhouse-mock']
    copyFileSync(join(folder, tarball), join(root, 'examples', example, spec.replace(/^file:/, '')))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
