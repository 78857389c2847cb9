import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { importsOf } from './imports-of.mjs'

/** Returns a message for every import cycle between files. @param source the folder `src` */
export function findCycles(source) {
  const graph = readGraph(source)
  const cycles = []
  const done = new Set()
  const path = []
  const visit = (file) => {
    const start = path.indexOf(file)
    if (start >= 0) return void cycles.push([...path.slice(start), file])
    if (done.has(file)) return
    path.push(file)
    for (const imported of graph.get(file)) visit(imported)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles.map(
    (files) => `These files import each other: ${files.map((file) => `src/${file}`).join(' → ')}.`,
  )
}

/** Returns each file of a folder with the files that it imports. */
function readGraph(source) {
  const files = readdirSync(source, { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
  const known = new Set(files)
  const toFile = (file, specifier) =>
    relative(source, resolve(source, dirname(file), specifier)).replaceAll('\\', '/')
  return new Map(
    files.map((file) => [
      file,
      importsOf(readFileSync(join(source, file), 'utf8'), file)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => toFile(file, specifier))
        .filter((imported) => known.has(imported)),
    ]),
  )
}
