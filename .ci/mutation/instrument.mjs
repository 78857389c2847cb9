// Creates the mutants: a copy of each source file that contains all of its mutants, each behind a switch, and their list.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { folders, listFiles, root } from './places.mjs'

const quiet = { debug() {}, info() {}, isDebugEnabled: () => false }

/** @returns {Promise<Mutant[]>} all mutants, in the order of their files */
export async function instrument(folder) {
  const list = join(folder, 'mutants.json')
  if (!existsSync(list)) await write(folder, list)
  return JSON.parse(readFileSync(list, 'utf8'))
}

async function write(folder, list) {
  const sources = folders
    .flatMap((folder) => listFiles(`src/${folder}`, '.ts'))
    .map((file) => ({ name: file, mutate: true, content: readFileSync(join(root, file), 'utf8') }))
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false }
  const { files, mutants } = await new Instrumenter(quiet).instrument(sources, options)
  for (const { name, content } of files) {
    const copy = join(folder, 'source', name)
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, content)
  }
  const contents = new Map(sources.map(({ name, content }) => [name, content]))
  writeFileSync(list, JSON.stringify(mutants.map((mutant) => describe(mutant, contents.get(mutant.fileName)))))
}

/**
 * @typedef {object} Mutant
 * @property {string} id unique in this run
 * @property {string} folder the folder of src
 * @property {string} original the replaced text
 * @property {string} key stable while neither its line nor an equal line of the file changes, even if the line moves
 */
function describe({ id, fileName: file, mutatorName: mutator, replacement, location: { start, end } }, content) {
  const lines = content.split('\n')
  const line = lines[start.line].trim()
  const place = lines.slice(0, start.line).filter((one) => one.trim() === line).length
  const offset = start.column - (lines[start.line].length - lines[start.line].trimStart().length)
  const original = textBetween(lines, start, end)
  return {
    id,
    file,
    folder: file.split('/')[1],
    line: start.line + 1,
    mutator,
    original,
    replacement,
    key: [file, line + (place > 0 ? ` (${place + 1})` : ''), offset, original.length, replacement].join(' | '),
  }
}

function textBetween(lines, start, end) {
  const taken = lines.slice(start.line, end.line + 1)
  taken[taken.length - 1] = taken.at(-1).slice(0, end.column)
  taken[0] = taken[0].slice(start.column)
  return taken.join('\n')
}
