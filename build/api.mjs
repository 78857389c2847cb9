// Prints the types of the whole package as one file, a `declare module` an entry: `npm run --silent api > api.d.ts`. Two such
// files, of two commits, show what a change does to the public surface.
import { readFileSync } from 'node:fs'

const { name, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

for (const [entry, conditions] of Object.entries(exports)) {
  const { types } = conditions.import ?? conditions
  if (!types) continue
  const code = readFileSync(new URL(`../${types}`, import.meta.url), 'utf8')
    .replaceAll("from './index.js'", `from '${name}'`)
    .replace(/^export declare /gm, 'export ')
    .replace(/^declare (?=const )/gm, '')
    // What an entry adds to the types of another package can't stand in a module that is declared.
    .replace(/^declare (module '|global )[^]*?^\}\n/gm, '')
    .trim()
  console.log(`declare module '${name}${entry.slice(1)}' {\n${code.replace(/^(?=.)/gm, '  ')}\n}\n`)
}
