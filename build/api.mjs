// Prints the types of the whole package as one file, with a `declare module` for each entry. Compare the files of two
// commits to see how the public API changed: `npm run --silent api > api.d.ts`.
import { readFileSync } from 'node:fs'

const { name, exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

for (const [entry, conditions] of Object.entries(exports)) {
  const { types } = conditions.import ?? conditions
  if (!types) continue
  const code = readFileSync(new URL(`../${types}`, import.meta.url), 'utf8')
    .replaceAll("from './index.js'", `from '${name}'`)
    .replace(/^export declare /gm, 'export ')
    .replace(/^declare (?=const )/gm, '')
    // Removes what an entry adds to the types of another package: it is not allowed inside `declare module`.
    .replace(/^declare (module '|global )[^]*?^\}\n/gm, '')
    .trim()
  console.log(`declare module '${name}${entry.slice(1)}' {\n${code.replace(/^(?=.)/gm, '  ')}\n}\n`)
}
