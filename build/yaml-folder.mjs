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
      const files = readdirSync(folder).filter((file) => file.endsWith('.yaml')).sort()
      const entries = files.map((file) => {
        this.addWatchFile?.(join(folder, file))
        return `${JSON.stringify(file)}: ${toSource(parse(readFileSync(join(folder, file), 'utf8'), { intAsBigInt: true }))}`
      })
      return `export default {${entries.join(',\n')}}`
    },
  }
}

function toSource(value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`
  if (Array.isArray(value)) return `[${value.map(toSource).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value).map(([key, item]) => `[${JSON.stringify(key)}]:${toSource(item)}`).join(',')}}`
  return JSON.stringify(value) ?? 'null'
}
