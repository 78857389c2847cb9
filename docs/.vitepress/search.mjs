// What people type into the search of the site, and the page that has to be its first hit.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const questions = {
  offline: 'by-symptom',
  'failed to fetch': 'by-symptom',
  'cookies are not sent': 'by-symptom',
  'webhook never comes': 'by-symptom',
  'signature does not match': 'by-symptom',
  'expired key': 'by-symptom',
  '429 in CI': 'by-symptom',
  nuxt: 'recipes/stacks',
  angular: 'recipes/stacks',
  react: 'recipes/react-vite',
  'next.js': 'recipes/nextjs',
  nock: 'coming-from',
  'stripe-mock': 'coming-from',
  playwright: 'test-runners/playwright',
  jest: 'test-runners/jest',
  'record a real service': 'proxy',
  fixtures: 'fixtures',
  'own scenario': 'scenarios',
  'control API': 'control-api',
  'slow reply': 'by-symptom',
  'docker container': 'environment',
}

/** What shows how to get a situation comes before what lists everything. */
export const boostDocument = (id) =>
  /by-symptom|recipes|get-started/.test(id)
    ? 1.5
    : /reference\/|limits|decisions/.test(id)
      ? 0.4
      : 1

/** Returns the questions whose first hit is another page. @param dist the built site */
export async function findMisses(dist) {
  const { default: MiniSearch } = await import('minisearch')
  const chunks = join(dist, 'assets/chunks')
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'))
  const { default: index } = await import(pathToFileURL(join(chunks, file)))
  const search = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    // As in VitePress's own search box.
    searchOptions: {
      fuzzy: 0.2,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      boostDocument,
    },
  })
  return Object.entries(questions).flatMap(([question, page]) => {
    const [first] = search.search(question)
    const found = first?.id.replace(/^\/|#.*$/g, '')
    return found === page ? [] : [`The search finds ${first?.id} for "${question}", not ${page}.`]
  })
}
