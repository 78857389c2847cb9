import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import type { Plugin } from 'vite'
import { repository, toSiteLink } from './links.ts'
import { boostDocument } from './search.mjs'
import { createSidebar } from './sidebar.ts'
import { toSlug } from './slug.ts'

/** Pages stand outside the folder that has the packages: what they import of Vue is found here. */
function resolveFromHere(): Plugin {
  const here = fileURLToPath(import.meta.url)
  return {
    name: 'resolve-from-here',
    enforce: 'pre',
    resolveId(id, importer, { ssr }) {
      if (!/^vue($|\/)/.test(id)) return null
      return ssr ? { id, external: true } : this.resolve(id, here, { skipSelf: true })
    },
  }
}

/** Pages with wide tables have no outline beside them. */
const wide = [
  'parity.md',
  'wire-faults.md',
  'reference/assumptions.md',
  'reference/compatibility.md',
  'reference/control-routes.md',
  'reference/operations.md',
  'reference/scenario-library.md',
  'reference/settings.md',
]

/** Code of this length stays in one line, also in a table. */
const short = 24

/** Breaks long code only where a reader expects it: after a slash, a dot or a comma. */
function toCode(text: string): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  return text.length <= short
    ? `<code class="short" v-pre>${escaped}</code>`
    : `<code v-pre>${escaped.replace(/[/.,](?=\S)/g, '$&<wbr>')}</code>`
}

export default defineConfig({
  title: 'Greenhouse',
  description:
    'A local mock of the plant store and app management APIs, with state, keys, plans and rate limits',
  lang: 'en',
  base: process.env['DOCS_BASE'] ?? '/',
  cleanUrls: true,
  ignoreDeadLinks: false,
  srcExclude: ['.vitepress/**'],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: toSlug },
    theme: { light: 'github-light', dark: 'github-dark' },
    config(md) {
      md.renderer.rules['code_inline'] = (tokens, place) => toCode(tokens[place]!.content)
      const open = md.renderer.rules['link_open']!
      md.renderer.rules['link_open'] = (tokens, place, options, env, self) => {
        const link = tokens[place]!
        const href = link.attrGet('href')
        const to =
          href === null
            ? undefined
            : toSiteLink(href, (env as { relativePath: string }).relativePath)
        if (to !== undefined) link.attrSet('href', to)
        else link.attrs = link.attrs!.filter(([name]) => name !== 'href')
        return open(tokens, place, options, env, self)
      }
    },
  },
  transformPageData(page) {
    if (wide.includes(page.relativePath)) page.frontmatter['aside'] = false
  },
  vite: { plugins: [resolveFromHere()] },
  themeConfig: {
    sidebar: createSidebar(),
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'By symptom', link: '/by-symptom' },
      { text: 'world', link: '/world' },
      { text: 'Control API', link: '/control-api' },
    ],
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: { boostDocument },
        },
      },
    },
    ...(repository !== undefined && {
      socialLinks: [{ icon: 'github', link: repository }],
      editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    }),
    footer: { message: 'MIT license' },
  },
})
