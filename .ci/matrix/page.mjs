// The page compatibility.md, from the results of the matrix. The build writes it into dist/docs.
import { nodes } from '../programs.mjs'
import { cells, msws, olds } from './dimensions.mjs'

const titles = {
  vitest: 'Vitest',
  jest: 'Jest',
  next: 'Next.js',
  stack: 'Other frameworks, under development',
  'node-test': "Node's test runner",
  mocha: 'Mocha',
  playwright: 'Playwright',
  typescript: 'TypeScript',
}

/** Titles of environments in the table, where the name is not clear enough. */
const environments = {
  browser: 'browser mode',
  build: '`next build`, `next start`',
  esm: 'ES modules',
  swc: '@swc/jest',
  import: 'ES modules',
  require: 'CommonJS',
  'no-isolate': 'threads, `isolate: false`',
  vue: 'Vue',
  angular: 'Angular',
  sveltekit: 'SvelteKit',
  nuxt: 'Nuxt',
  astro: 'Astro',
  'next-pages': 'Next.js, pages router',
}

/**
 * @param results in the form of results.json: by row of the page, then by Node @returns the page
 */
export function toPage(results) {
  const rows = new Map(results.map(({ row, nodes }) => [row, nodes]))
  const resultOf = (row, node = '22') => rows.get(row)?.[node]
  const notes = []
  const numberOf = (note) => {
    if (!notes.includes(note)) notes.push(note)
    return `<sup>${notes.indexOf(note) + 1}</sup>`
  }
  const sections = Object.entries(titles).map(([kind, title]) => {
    const own = cells.filter(
      ({ runner }) => runner === kind || (runner.startsWith(`${kind}-`) && kind !== 'node-test'),
    )
    return `## ${title}\n\n${kind === 'typescript' ? toTypes(own, resultOf, numberOf) : toRunner(own, resultOf, numberOf)}\n`
  })
  const dates = results.flatMap(({ nodes }) => Object.values(nodes).map(({ date }) => date)).sort()
  return `# Compatibility

Every cell of this table was run: \`npm run matrix\` packs the package, installs it into folders with each set of
versions, and runs a test there that uses MSW and a server. A number is a version of Node where all of it passed.
${dates.length > 0 ? `Seen from ${dates[0]} to ${dates.at(-1)}. ` : ''}A Node that a cell does not name was not run there yet.
Bun and Deno are not supported. Parts work there, but nothing tests them.

${sections.join('\n')}
## Each entry, however it is imported

${toEntries(resultOf)}

## Beside older packages

${toBeside(resultOf)}

## Notes

${notes.map((note, place) => `${place + 1}. ${note}`).join('\n')}

## Versions

${toVersions(results)}
`
}

function toEntries(resultOf) {
  const outcomes = ['all but vitest', 'vitest'].map((part) => resultOf(`attw ${part}`)?.outcome)
  if (outcomes.every((outcome) => outcome === 'passed'))
    return '[Are the types wrong?](https://arethetypeswrong.github.io) finds nothing: by `import` and `require`, with node10, node16 and bundler. `greenhouse-mock/vitest` is an ES module alone, as Vitest is.'
  return 'Not run yet.'
}

function toBeside(resultOf) {
  const rows = Object.entries(olds).map(([name, packages]) => [
    Object.entries(packages)
      .map((pair) => pair.join(' '))
      .join(', '),
    resultOf(`install beside ${name}`)?.outcome === 'passed' ? 'yes' : '—',
  ])
  return `npm installs the package, \`greenhouse-mock run\` works, and the entries say which version they need.\n\n${table(['beside', 'works'], rows)}`
}

/** Returns a table: a row per environment, a column per msw, and the passing Nodes in the cells. */
function toRunner(own, resultOf, numberOf) {
  const rows = distinct(own.map(({ runner, environment }) => `${runner}|${environment}`)).map(
    (key) => {
      const [runner, environment] = key.split('|')
      const columns = Object.keys(msws).map((msw) =>
        toNodes(runner, environment, msw, resultOf, numberOf),
      )
      return [toName(runner), environments[environment] ?? environment, ...columns]
    },
  )
  return table(['version', 'environment', ...Object.keys(msws).map((msw) => `msw ${msw}`)], rows)
}

function toNodes(runner, environment, msw, resultOf, numberOf) {
  const results = nodes.map((node) => [node, resultOf(`${runner} ${environment} msw-${msw}`, node)])
  const shown = results
    .filter(([, result]) => result !== undefined)
    .map(([node, { outcome, reason }]) => {
      if (outcome === 'passed') return node + (reason ? numberOf(reason) : '')
      return `~~${node}~~${numberOf(reason ?? 'It fails, and should not.')}`
    })
  return shown.length > 0 ? shown.join(' · ') : '—'
}

function toTypes(own, resultOf, numberOf) {
  const rows = distinct(own.map(({ runner, environment }) => `${runner}|${environment}`)).map(
    (key) => {
      const [runner, environment] = key.split('|')
      const [resolution, format] = environment.split(' ')
      const columns = Object.keys(msws).map((msw) => {
        const result = resultOf(`${runner} ${environment} msw-${msw}`)
        if (!result) return '—'
        if (result.outcome === 'passed') return `yes${result.reason ? numberOf(result.reason) : ''}`
        return `no${numberOf(result.reason ?? 'It fails, and should not.')}`
      })
      return [toName(runner), `\`${resolution}\``, environments[format], ...columns]
    },
  )
  const head = [
    'version',
    'moduleResolution',
    'consumer',
    ...Object.keys(msws).map((msw) => `msw ${msw}`),
  ]
  return `All with \`strict\`, \`exactOptionalPropertyTypes\`, \`declaration\` and \`skipLibCheck: false\`.\n\n${table(head, rows)}`
}

const toName = (runner) => (/-[\d.]+$/.test(runner) ? runner.replace(/^.*-/, '') : 'newest')

function toVersions(results) {
  const versions = {}
  for (const result of results)
    for (const [name, version] of Object.entries(result.versions))
      (versions[name] ??= new Set()).add(version)
  const byNumber = (one, other) => one.localeCompare(other, 'en', { numeric: true })
  return table(
    ['package', 'versions that ran'],
    Object.keys(versions)
      .sort()
      .map((name) => [name, [...versions[name]].sort(byNumber).join(', ')]),
  )
}

const distinct = (items) => [...new Set(items)]

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
