/** Keeps only the text of our own sources in source maps: libraries and generated data modules would be most of the package. */
export function ownSources() {
  return {
    name: 'own-sources',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.map')) continue
        const map = JSON.parse(file.source)
        const isOwn = (source) => /^(\.\.\/)+src\/[^\0]+\.tsx?$/.test(source)
        map.sourcesContent = map.sources.map((source, place) => (isOwn(source) ? map.sourcesContent[place] : null))
        // The build wrote the map in another folder than its final one.
        map.sources = map.sources.map((source) => (isOwn(source) ? source.replace(/^(\.\.\/)+/, '../') : source))
        file.source = JSON.stringify(map)
      }
    },
  }
}
