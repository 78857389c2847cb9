/**
 * Makes `import('msw/node')` a `require` in the CommonJS build. Who requires us gets the library's CommonJS too, as from
 * `require('msw')`, and Jest, which runs tests in a context without `import()`, gets it at all.
 */
export function lazyRequire() {
  return {
    name: 'lazy-require',
    renderChunk(code) {
      return code.replace(/\bimport\(([`"'])(msw\/node)\1\)/g, 'Promise.resolve().then(() => require("$2"))')
    },
    generateBundle(_options, bundle) {
      for (const { type, code, fileName } of Object.values(bundle))
        if (type === 'chunk' && /\bimport\(/.test(code))
          throw new Error(`Failed to make CommonJS: ${fileName} has an import() left.`)
    },
  }
}
