import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes the licenses of all bundled packages into a file, as the licenses require. @param modules
 * the ids of the bundled modules
 */
export function writeLicenses(file, modules) {
  const places = new Set(
    modules
      .filter((id) => id.includes('/node_modules/'))
      .map((id) => dirname(id.replace(/[?\0].*$/, ''))),
  )
  const folders = new Set([...places].map(packageFolder))
  writeFileSync(
    file,
    [...folders]
      .map(toNotice)
      .sort()
      .join(`\n${'-'.repeat(80)}\n\n`),
  )
}

/**
 * Returns the folder of the package around a folder: the nearest one whose package.json has a
 * version.
 */
function packageFolder(place) {
  for (let folder = place; ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder
  }
}

function toNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() + '\n' : ''}`
}
