import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the pages are: the folder `docs`. */
export const docs = fileURLToPath(new URL('..', import.meta.url))

/**
 * The order of the pages. `recipes/*` stands for the pages of a folder that no other line names.
 */
const order: readonly [title: string, pages: readonly string[]][] = [
  ['Get started', ['get-started', 'coming-from', 'panel', 'config', 'environment']],
  [
    'Recipes',
    [
      'recipes/react-vite',
      'recipes/nextjs',
      'recipes/stacks',
      'recipes/chat',
      'recipes/mobile',
      'recipes/*',
    ],
  ],
  [
    'Your test runner',
    [
      'test-runners/vitest',
      'test-runners/playwright',
      'test-runners/jest',
      'test-runners/node-test',
      'test-runners/cypress',
      'test-runners/webdriverio',
      'test-runners/storybook',
      'test-runners/other-languages',
      'test-runners/*',
    ],
  ],
  ['When things go wrong', ['by-symptom', 'scenarios', 'malformations', 'wire-faults', 'cases']],
  ['In code', ['world', 'stubs', 'your-own', 'verifying-calls', 'fixtures', 'records']],
  ['From outside', ['client', 'control-api', 'command-line', 'ai-agents']],
  ['The two APIs', ['apps', 'webhooks']],
  ['The contract', ['generated-clients', 'evidence', 'judging', 'verify', 'flip', 'proxy']],
  ['Reference', ['reference', 'reference/*']],
  [
    'How it works',
    [
      'how-it-works',
      'parity',
      'limits',
      'pages-and-hosts',
      'scale-out',
      'bundle-size',
      'decisions',
    ],
  ],
]

/** Every page of `docs`, without `.md`. */
export function listPages(): string[] {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('.vitepress/'))
    .map((path) => path.slice(0, -'.md'.length))
    .sort()
}

/**
 * The sidebar: the pages that exist, in this order, each with its own title. Pages that no group
 * names are in the last one.
 */
export function createSidebar() {
  const pages = listPages()
  const named = new Set(order.flatMap(([, names]) => names))
  const groups = order.map(([text, names]) => ({
    text,
    pages: names.flatMap((name) =>
      name.endsWith('/*')
        ? pages.filter((page) => page.startsWith(name.slice(0, -1)) && !named.has(page))
        : existsSync(join(docs, `${name}.md`))
          ? [name]
          : [],
    ),
  }))
  const shown = new Set(['index', ...groups.flatMap(({ pages }) => pages)])
  groups.push({ text: 'More', pages: pages.filter((page) => !shown.has(page)) })
  return groups
    .filter(({ pages }) => pages.length > 0)
    .map(({ text, pages }) => ({ text, collapsed: false, items: pages.map(toItem) }))
}

function toItem(page: string): { text: string; link: string } {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? []
  return { text: title.replaceAll('`', ''), link: `/${page}` }
}
