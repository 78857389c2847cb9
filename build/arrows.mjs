// Checks which way imports point, those of types and lazy ones included. `npm run lint` runs it; ARCHITECTURE.md draws the same.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

/** The rooms of `src`, from the top floor down. A room imports from itself and from floors below it, never sideways or up. */
export const floors = [
  ['cli', 'testing'],
  ['adapters', 'panel'],
  ['control'],
  ['node-http', 'files'],
  ['contract', 'evidence'],
  ['greenhouse'],
  ['areas/plants', 'areas/apps', 'scenarios', 'fixtures'],
  ['areas'],
  ['core/pipeline'],
  ['core/world'],
  ['core/journal'],
  ['core/accounts'],
  ['core/store'],
  ['core/http'],
  ['core/time'],
  ['core/definitions'],
]

/** What the panel may run of the rooms below it: it reaches everything else through the control API, and imports only its types. */
const openToPages = new Set(['core/definitions', 'core/http', 'core/time'])

const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor])))

/** Every import of a folder that points up or sideways, or brings into the panel what is none of a page's, as a sentence. @param source the folder `src` */
export function wrongArrows(source) {
  return readdirSync(source, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => checkFile(source, path))
    .sort()
}

function checkFile(source, path) {
  const room = roomOf(path)
  // The files at the top are the package's entries: they may name anything, and nothing names them.
  if (room === '') return []
  if (!floorOf.has(room)) return [`src/${path}: no room is called "${room}"; build/arrows.mjs lists them.`]
  return importsOf(readFileSync(join(source, path), 'utf8'), path).flatMap(({ specifier, isType }) => {
    const target = resolve(source, dirname(path), specifier)
    if (!specifier.startsWith('.') || !target.startsWith(resolve(source))) return []
    const to = roomOf(target.slice(resolve(source).length + 1).replaceAll('\\', '/'))
    if (room === 'panel' && to !== 'panel' && !isType && !openToPages.has(to))
      return [
        `src/${path} imports ${specifier}: from ${to || 'an entry of the package'} the panel may import types only.`,
      ]
    const fall = to === '' ? -1 : floorOf.get(to) - floorOf.get(room)
    return room === to || fall > 0
      ? []
      : [
          `src/${path} imports ${specifier}: that points ${fall === 0 ? 'sideways' : 'up'}, from ${room} to ${to || 'an entry of the package'}.`,
        ]
  })
}

/** The room that a file stands in: the first two folders of areas and core, else the first one; `''` for an entry. */
function roomOf(path) {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, folders[0] === 'areas' || folders[0] === 'core' ? 2 : 1).join('/')
}

function importsOf(text, path) {
  const found = []
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (/^(Import|Export|TSImport)/.test(value.type) && typeof value.source?.value === 'string')
      found.push({ specifier: value.source.value, isType: (value.importKind ?? value.exportKind) === 'type' })
    Object.values(value).forEach(visit)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wrong = wrongArrows(fileURLToPath(new URL('../src', import.meta.url)))
  for (const sentence of wrong) console.error(sentence)
  if (wrong.length > 0) process.exitCode = 1
}
