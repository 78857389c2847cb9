import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const suffix = '/*.ts?all'

/**
 * Lets a module import the default exports of all files in a folder, in the order of their names:
 * `import faults from '../faults/*.ts?all'`. So a new fault is only a new file. Works in Rolldown
 * and in Vite.
 */
export function moduleFolder() {
  return {
    name: 'module-folder',
    resolveId: {
      filter: { id: /\/\*\.ts\?all$/ },
      handler: (source, importer) =>
        importer &&
        '\0module-folder:' + resolve(dirname(importer), source.slice(0, -suffix.length)) + '.js',
    },
    load: {
      filter: { id: /^\0module-folder:/ },
      handler(id) {
        const folder = id.slice('\0module-folder:'.length, -'.js'.length)
        const files = readdirSync(folder)
          .filter((file) => file.endsWith('.ts'))
          .sort()
        const imports = files.map(
          (file, place) => `import file${place} from ${JSON.stringify(join(folder, file))}`,
        )
        return `${imports.join('\n')}\nexport default [${files.map((_, place) => `file${place}`).join()}]`
      },
    },
  }
}
