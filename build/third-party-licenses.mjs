import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the licenses of every package that ends up in the bundle beside it, as those licenses ask. */
export function thirdPartyLicenses() {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
      const folders = new Set(
        modules.filter((id) => id.includes('/node_modules/')).map((id) => packageFolder(id.replace(/[?\0].*$/, ''))),
      )
      const notices = [...folders].map(toNotice).sort()
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: notices.join(`\n${'-'.repeat(80)}\n\n`),
      })
    },
  }
}

/** The folder of the package that a module belongs to: the nearest one that says its name. */
function packageFolder(module) {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder
  }
}

function toNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() + '\n' : ''}`
}
