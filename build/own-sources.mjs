/**
 * Leaves in source maps the text of our own sources alone: those of libraries, and data that was made into modules, would be
 * most of the package.
 */
export function ownSources() {
  return {
    name: 'own-sources',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.map')) continue
        const map = JSON.parse(file.source)
        const isOwn = (source) => /^(\.\.\/)+src\/[^\0]+\.tsx?$/.test(source)
        map.sourcesContent = map.sources.map((source, place) => (isOwn(source) ? map.sourcesContent[place] : null))
        // It was built in another folder than the one where it is.
        map.sources = map.sources.map((source) => (isOwn(source) ? source.replace(/^(\.\.\/)+/, '../') : source))
        file.source = JSON.stringify(map)
      }
    },
  }
}
