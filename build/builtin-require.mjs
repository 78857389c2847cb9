/**
 * CommonJS libraries in the bundle ask for Node's own modules through `createRequire`, which the bundler imports for every
 * chunk that holds any CommonJS at all, also those that a page loads. Here they ask `process` instead, and import nothing.
 */
export function builtinRequire() {
  return {
    name: 'builtin-require',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.name.startsWith('rolldown-runtime')) continue
        const code = chunk.code
          .replace(/import\s*\{\s*createRequire\s*\}\s*from\s*["']node:module["'];?/, '')
          .replace(
            /(\/\* @__PURE__ \*\/ )?createRequire\(import\.meta\.url\)/,
            '(name=>process.getBuiltinModule(name))',
          )
        if (code.includes('createRequire'))
          throw new Error('Failed to take createRequire out of the bundle: the bundler writes it in another way now.')
        chunk.code = code
      }
    },
  }
}
