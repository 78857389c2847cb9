import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CORE_SCHEMA, intCoreTag, load } from 'js-yaml'

const suffix = '/*.yaml'

/** Integers beyond the safe range become bigints. */
const schema = CORE_SCHEMA.withTags({
  ...intCoreTag,
  resolve(source, ...rest) {
    const value = intCoreTag.resolve(source, ...rest)
    return typeof value !== 'number' || Number.isSafeInteger(value) ? value : BigInt(source)
  },
})

/**
 * Lets a module import a folder of YAML files as data: `import documents from
 * '../../fixtures/*.yaml'` gives `{ 'plants.yaml': {…} }`. So fixtures and scenarios work in
 * browsers, and the server parses no YAML at start. `readAhead` reads the parts that are in
 * separate files. Works in Rolldown and in Vite.
 * @param options.isApart whether the largest parts become separate files, read on first access: a
 * start that does not read and scan 200 KB takes a twentieth less.
 */
export function yamlFolder({ isApart = false } = {}) {
  return {
    name: 'yaml-folder',
    resolveId: {
      filter: { id: /\/\*\.yaml$/ },
      handler: (source, importer) =>
        importer &&
        '\0yaml-folder:' + resolve(dirname(importer), source.slice(0, -suffix.length)) + '.js',
    },
    load: {
      filter: { id: /^\0yaml-folder:/ },
      handler(id) {
        const folder = id.slice('\0yaml-folder:'.length, -'.js'.length)
        const files = readdirSync(folder)
          .filter((file) => file.endsWith('.yaml'))
          .sort()
        const names = []
        const emit = (key, source) => {
          const fileName = `${basename(folder)}-${key}.json`
          this.emitFile({ type: 'asset', fileName, source })
          names.push(fileName)
          return `take(${JSON.stringify(fileName)})`
        }
        const entries = files.map((file) => {
          this.addWatchFile?.(join(folder, file))
          const document = load(readFileSync(join(folder, file), 'utf8'), { schema })
          return `${JSON.stringify(file)}: ${toDocument(document, isApart ? emit : undefined)}`
        })
        return `${names.length > 0 ? toReader(names) : 'export const readAhead = () => {}'}
export default {${entries.join(',\n')}}`
      },
    },
  }
}

/**
 * A part with at least this many characters is parsed on first access, and from JSON, which parses
 * twice as fast as source.
 */
const large = 4_096

/** A part with at least this many characters may become a separate file. */
const largest = 32_768

/**
 * Generates the reader of parts. It reads each file once: in `readAhead`, as later no descriptor
 * may be free, or on access.
 */
const toReader = (names) => `const texts = new Map()
// A test that mocks node:fs still gets the data.
const load = (name) => process.getBuiltinModule('node:fs').readFileSync(import.meta.dirname + '/' + name, 'utf8')
const read = (name) => texts.get(name) ?? texts.set(name, load(name)).get(name)
const waiting = new Set(${JSON.stringify(names)})
const take = (name) => {
  const value = JSON.parse(read(name))
  texts.delete(name)
  waiting.delete(name)
  return value
}
export const readAhead = () => waiting.forEach(read)`

function toDocument(document, emit) {
  const parts = Object.entries(document).map(([key, value]) => {
    const source = toSource(value)
    const name = `[${JSON.stringify(key)}]`
    return source.length < large
      ? `${name}:${source}`
      : `get ${name}(){const value=${toParsed(value, source, (json) => emit && json.length >= largest && emit(key, json))};Object.defineProperty(this,${JSON.stringify(key)},{value,enumerable:true});return value}`
  })
  return `{${parts.join(',')}}`
}

function toParsed(value, source, emitLarge) {
  try {
    const json = JSON.stringify(value, (_, part) =>
      typeof part === 'bigint' ? toNumber(part) : part,
    )
    return emitLarge(json) || `JSON.parse(${JSON.stringify(json)})`
  } catch {
    return source
  }
}

function toNumber(integer) {
  if (!Number.isSafeInteger(Number(integer))) throw new RangeError('JSON has no such number.')
  return Number(integer)
}

function toSource(value) {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`
  if (Array.isArray(value)) return `[${value.map(toSource).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `[${JSON.stringify(key)}]:${toSource(item)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}
