import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'

const suffix = '/*.yaml'

/**
 * Lets a module import a folder of YAML files as data: `import documents from '../../fixtures/*.yaml'`
 * gives `{ 'plants.yaml': {…} }`. That is how fixtures and scenarios reach a browser, and why no start
 * of the server parses them. Works in Rolldown and in Vite.
 */
export function yamlFolder() {
  return {
    name: 'yaml-folder',
    resolveId(source, importer) {
      if (!source.endsWith(suffix) || !importer) return null
      return '\0yaml-folder:' + resolve(dirname(importer), source.slice(0, -suffix.length)) + '.js'
    },
    load(id) {
      if (!id.startsWith('\0yaml-folder:')) return null
      const folder = id.slice('\0yaml-folder:'.length, -'.js'.length)
      const files = readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
      const entries = files.map((file) => {
        this.addWatchFile?.(join(folder, file))
        return `${JSON.stringify(file)}: ${toDocument(parse(readFileSync(join(folder, file), 'utf8'), { intAsBigInt: true }))}`
      })
      return `export default {${entries.join(',\n')}}`
    },
  }
}

/** A large part of a document is parsed when it is first looked at, and from JSON, which is read twice as fast as source. */
const large = 4_096

function toDocument(document) {
  const parts = Object.entries(document).map(([key, value]) => {
    const source = toSource(value)
    const name = `[${JSON.stringify(key)}]`
    return source.length < large
      ? `${name}:${source}`
      : `get ${name}(){const value=${toParsed(value, source)};Object.defineProperty(this,${JSON.stringify(key)},{value,enumerable:true});return value}`
  })
  return `{${parts.join(',')}}`
}

function toParsed(value, source) {
  try {
    return `JSON.parse(${JSON.stringify(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? toNumber(part) : part)))})`
  } catch {
    return source
  }
}

function toNumber(integer) {
  if (!Number.isSafeInteger(Number(integer))) throw new RangeError('JSON has no such number.')
  return Number(integer)
}

function toSource(value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`
  if (Array.isArray(value)) return `[${value.map(toSource).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `[${JSON.stringify(key)}]:${toSource(item)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}
