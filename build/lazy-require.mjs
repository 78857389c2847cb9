import { parseAst } from 'rolldown/parseAst'

/**
 * Turns `import('msw')` and `import('msw/node')` into `require` in the CommonJS build. So its users get the same
 * CommonJS of msw as from `require('msw')`, and it works in Jest, which runs tests in a context
 * without `import()`.
 */
export function lazyRequire() {
  return {
    name: 'lazy-require',
    renderChunk(code) {
      const required = code.replace(
        /\bimport\(([`"'])(msw(?:\/node)?)\1\)/g,
        'Promise.resolve().then(() => require("$2"))',
      )
      // The replacement adds no lines, so the source map's lines stay right.
      return required === code ? null : { code: required, map: null }
    },
    generateBundle(_options, bundle) {
      for (const { type, code, fileName, moduleIds } of Object.values(bundle))
        if (
          type === 'chunk' &&
          !moduleIds.some(isOfCommand) &&
          /\bimport\s*\(/.test(code) &&
          hasImport(parseAst(code))
        )
          throw new Error(`Failed to make CommonJS: ${fileName} has an import() left.`)
    },
  }
}

/** The command runs in Node alone, and imports the user's files. */
const isOfCommand = (id) => /src[\\/](cli[\\/]|adapters[\\/]own-handlers)/.test(id)

function hasImport(node) {
  if (typeof node !== 'object' || node === null) return false
  return node.type === 'ImportExpression' || Object.values(node).some(hasImport)
}
