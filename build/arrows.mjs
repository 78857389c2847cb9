// `npm run lint` runs this: checks the layers of ARCHITECTURE.md and import cycles; type and lazy
// imports count too.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findCycles } from './cycles.mjs'
import { importsOf } from './imports-of.mjs'

/**
 * The folders of `src` in layers, top first. A folder imports only from itself and from layers
 * below it.
 */
export const layers = [
  ['cli', 'testing'],
  ['adapters', 'panel'],
  ['control'],
  ['node-http', 'files'],
  ['contract', 'evidence', 'replay'],
  ['api'],
  ['cases', 'custom'],
  ['catalogue'],
  ['areas/plants', 'areas/apps', 'scenarios', 'fixtures', 'proxy'],
  ['areas'],
  ['output'],
  ['core/pipeline'],
  ['core/world'],
  ['core/journal'],
  ['core/accounts'],
  ['core/store'],
  ['core/http'],
  ['core/time'],
  ['core/secrets'],
  ['core/contract'],
  ['core/text'],
]

/**
 * The folders outside the panel whose code it may import: from all others only types. It gets data
 * through the control API.
 */
const openToPages = new Set(['core/contract', 'core/http', 'core/text', 'core/time'])

/**
 * The files that the panel may import too, which need nothing but these folders: the journal's
 * filter, the client, and what writes requests as code and scenarios as YAML.
 */
const filesOpenToPages = new Set([
  'core/journal/entry-view.ts',
  'core/journal/matching.ts',
  'core/journal/path-pattern.ts',
  'core/journal/typed-query.ts',
  'control/client/control-api.ts',
  'control/client/errors.ts',
  'output/code.ts',
  'output/yaml-text.ts',
  'scenarios/language/pointer.ts',
])

const layerOf = new Map(
  layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer])),
)

/**
 * Returns a message for every import that points up or sideways, or that the panel may not have.
 * @param source the folder `src`
 */
export function wrongArrows(source) {
  return readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => checkFile(source, path))
    .sort()
}

function checkFile(source, path) {
  const folder = folderOf(path)
  // The files directly in `src` are the package's entries: they may import anything, and no other
  // file imports them.
  if (folder === '') return []
  if (!layerOf.has(folder))
    return [`src/${path}: no layer has the folder "${folder}"; build/arrows.mjs lists them.`]
  return importsOf(readFileSync(join(source, path), 'utf8'), path).flatMap(
    ({ specifier, isType }) => {
      const target = resolve(source, dirname(path), specifier)
      if (!specifier.startsWith('.') || !target.startsWith(resolve(source))) return []
      const file = target.slice(resolve(source).length + 1).replaceAll('\\', '/')
      const to = folderOf(file)
      const isOpen = openToPages.has(to) || filesOpenToPages.has(file)
      if (folder === 'panel' && to !== 'panel' && !isType && !isOpen)
        return [
          `src/${path} imports ${specifier}: from ${to || 'an entry of the package'} the panel may import types only.`,
        ]
      const fall = to === '' ? -1 : layerOf.get(to) - layerOf.get(folder)
      return folder === to || fall > 0
        ? []
        : [
            `src/${path} imports ${specifier}: that points ${fall === 0 ? 'sideways' : 'up'}, from ${folder} to ${to || 'an entry of the package'}.`,
          ]
    },
  )
}

/**
 * Returns the folder of a file: the first two segments of its path in areas and core, else the
 * first; `''` for an entry.
 */
function folderOf(path) {
  const folders = path
    .split('/')
    .slice(0, -1)
    .filter((folder) => folder !== 'generated')
  return folders.slice(0, folders[0] === 'areas' || folders[0] === 'core' ? 2 : 1).join('/')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const wrong = [...wrongArrows(source), ...findCycles(source)]
  for (const sentence of wrong) console.error(sentence)
  if (wrong.length > 0) process.exitCode = 1
}
