import { parseAst } from 'rolldown/parseAst'

/**
 * Returns the modules that a file imports, including type and lazy imports. @param path its
 * extension says whether the file has JSX
 */
export function importsOf(text, path) {
  const found = []
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (/^(Import|Export|TSImport)/.test(value.type) && typeof value.source?.value === 'string')
      found.push({
        specifier: value.source.value,
        isType: (value.importKind ?? value.exportKind) === 'type',
      })
    Object.values(value).forEach(visit)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}
