// Prints the types of the whole package as one file, with a `declare module` for each entry.
// Compare the files of two commits to see how the public API changed: `npm run --silent api >
// api.d.ts`.
import { readFileSync } from 'node:fs'
import { entries } from './entries.mjs'

const { name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

for (const entry of entries) {
  const code = readFileSync(new URL(`../dist/types/${entry}.d.ts`, import.meta.url), 'utf8')
    .replaceAll("from './index.js'", `from '${name}'`)
    .replace(/^export declare /gm, 'export ')
    .replace(/^declare (?=const )/gm, '')
    // Removes what an entry adds to the types of another package: it is not allowed inside `declare
    // module`.
    .replace(/^declare (module '|global )[^]*?^\}\n/gm, '')
    .trim()
  const path = entry === 'index' ? name : `${name}/${entry}`
  console.log(`declare module '${path}' {\n${code.replace(/^(?=.)/gm, '  ')}\n}\n`)
}
