import { parseAst } from 'rolldown/parseAst'

/**
 * Makes `import('msw/node')` a `require` in the CommonJS build. Who requires us gets the library's CommonJS too, as from
 * `require('msw')`, and Jest, which runs tests in a context without `import()`, gets it at all.
 */
export function lazyRequire() {
  return {
    name: 'lazy-require',
    renderChunk(code) {
      const required = code.replace(/\bimport\(([`"'])(msw\/node)\1\)/g, 'Promise.resolve().then(() => require("$2"))')
      // It stands on a line of its own call: the map's lines stay right.
      return required === code ? null : { code: required, map: null }
    },
    generateBundle(_options, bundle) {
      for (const { type, code, fileName } of Object.values(bundle))
        if (type === 'chunk' && hasImport(parseAst(code)))
          throw new Error(`Failed to make CommonJS: ${fileName} has an import() left.`)
    },
  }
}

function hasImport(node) {
  if (typeof node !== 'object' || node === null) return false
  return node.type === 'ImportExpression' || Object.values(node).some(hasImport)
}
