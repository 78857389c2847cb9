import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

/** What a page loads checks values with little code; the rest has all of zod, made when it is asked. Works in Rolldown and in Vite. */
export function whichZod() {
  return {
    name: 'which-zod',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source !== 'zod/mini' || !importer) return null
      return path(/[\\/]src[\\/](core|areas|fixtures)[\\/]/.test(importer) ? 'lean-zod.mjs' : 'lazy-zod.mjs')
    },
  }
}
