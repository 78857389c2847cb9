import { readFileSync } from 'node:fs'

const mark = '?apart'

/**
 * Gives `zod/v4`, which reads JSON Schemas and needs all of zod, modules of its own. Otherwise the
 * modules that it shares with `zod/mini` would be whole for every import of Greenhouse: 80 kB.
 */
export function zodApart() {
  return {
    name: 'zod-apart',
    async resolveId(source, importer) {
      const isInside = importer?.endsWith(mark)
      if (source !== 'zod/v4' && !isInside) return null
      const found = await this.resolve(
        source,
        isInside ? importer.slice(0, -mark.length) : importer,
        {
          skipSelf: true,
        },
      )
      return found && { id: `${found.id}${mark}`, moduleSideEffects: false }
    },
    load: (id) => (id.endsWith(mark) ? readFileSync(id.slice(0, -mark.length), 'utf8') : null),
  }
}
