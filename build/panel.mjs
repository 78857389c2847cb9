// Bundles the panel: a page, a script, a style sheet. `node build/panel.mjs` rebuilds only these.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { moduleFolder } from './module-folder.mjs'

const source = fileURLToPath(new URL('../src/panel', import.meta.url))

/** One file for all that the page loads when somebody opens it. */
const later = {
  name: 'later',
  test: /panel[\\/](?:data[\\/]own-scenario|views[\\/](?:scenarios[\\/](?:assumptions|new)|traffic[\\/](?:answer-next|compare|compose|report)))\.tsx?$/,
}

/** One file for all else, whatever both have in common. */
const rest = { name: 'panel', test: /\.tsx?$|node_modules/ }

/**
 * Writes index.html, panel.js and panel.css into a folder, and returns the ids of the bundled
 * modules.
 */
export async function buildPanel(folder) {
  const build = await rolldown({
    input: { panel: join(source, 'main.ts') },
    // A page runs it, and nothing imports it.
    preserveEntrySignatures: false,
    platform: 'browser',
    plugins: [moduleFolder()],
    // tsconfig.json says how to compile JSX.
    transform: { target: 'es2023' },
    resolve: { alias: { 'zod/mini': fileURLToPath(new URL('lazy-zod.mjs', import.meta.url)) } },
    logLevel: 'warn',
    checks: { bundlerTimings: false },
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    minify: true,
    // Annotations such as PURE are for bundlers.
    comments: false,
    codeSplitting: { includeDependenciesRecursively: false, groups: [later, rest] },
  })
  await build.close()
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(source, 'index.html'), join(folder, 'index.html'))
  writeFileSync(join(folder, 'panel.css'), styles())
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** Lets a module import the panel's style sheet as a text, adapted for a drawer in another page. */
export function panelStyles() {
  return {
    name: 'panel-styles',
    resolveId: { filter: { id: /^panel-styles$/ }, handler: () => '\0panel-styles' },
    load: {
      filter: { id: /^\0panel-styles$/ },
      handler: () => `export default ${JSON.stringify(inPage(styles()))}`,
    },
  }
}

/**
 * In a drawer, the tokens apply to the panel's element, and rules for narrow screens apply to a
 * narrow drawer.
 */
function inPage(css) {
  return css
    .replaceAll(':root', '#panel')
    .replace(/@media \((max|min)-width: (\d+)px\)/g, '@container panel ($1-width: $2px)')
}

/** Returns the style sheet without comments, indents and empty lines. */
function styles() {
  return readFileSync(join(source, 'styles/panel.css'), 'utf8')
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = fileURLToPath(new URL('../dist/panel', import.meta.url))
  rmSync(folder, { recursive: true, force: true })
  await buildPanel(folder)
}
