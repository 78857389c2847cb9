// Faults of the build: each is a change of the repository, with the tests that must detect it.

/** Replaces a text in a file. @param find must be in the file exactly once */
const edit = (file, find, replace) => ({ file, find, replace })

/** Adds a Rolldown plugin before all others to the bundles of the library and the command. */
const plugin = (code) => edit('build/code.mjs', 'plugins: [partEntries(),', `plugins: [${code}, partEntries(),`)

/**
 * Each fault: `before` are files to write before the build, `edits` are applied before it, `after` after it. “Tree
 * shaking without side effects of modules” is not a fault: no module of ours is imported only for side effects.
 */
export const faults = [
  {
    name: 'a call is dropped whose result nobody uses',
    edits: [
      plugin(
        `{ name: 'fault', transform: (code, id) => (id.endsWith('http/urls.ts') ? code.replace('return decodeURIComponent(text)', 'decodeURIComponent(text); return text') : null) }`,
      ),
    ],
    tests: ['test/judging/strict-mode.test.ts'],
  },
  {
    name: 'a call is taken for one without effects',
    edits: [
      edit(
        'build/code.mjs',
        "platform: 'node',",
        "platform: 'node', treeshake: { manualPureFunctions: ['recognizeAcrossBuilds'] },",
      ),
    ],
    tests: ['test/package/commonjs.full.test.ts'],
  },
  {
    name: 'the export map leads an entry to the files of another one',
    edits: [
      edit('package.json', '    "./*": {', '    "./journal": "./dist/judge.js",\n    "./*": {'),
    ],
    tests: ['test/package/entries.full.test.ts'],
  },
  {
    name: 'the export map lacks an entry',
    edits: [edit('package.json', '    "./*": {', '    "./judge": null,\n    "./*": {')],
    tests: ['test/package/entries.full.test.ts'],
  },
  {
    name: 'an entry is not built',
    edits: [edit('build/entries.mjs', "  'config',\n", '')],
    tests: ['test/package/contents.full.test.ts'],
  },
  {
    name: 'files of an earlier build stay in dist',
    before: { 'dist/store-0ldB1t5s.js': 'export const store = []\n' },
    edits: [
      edit(
        'build/dist.mjs',
        "    if (existsSync(dist)) renameSync(dist, join(work, 'previous'))\n    renameSync(join(work, 'dist'), dist)\n",
        "  cpSync(join(work, 'dist'), dist, { recursive: true, preserveTimestamps: true })\n",
      ),
    ],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'dist was made from sources of another version',
    after: [
      edit(
        'src/core/store/data-memory.ts',
        'The data limit of this mock is reached',
        'The limit of this mock is reached',
      ),
    ],
    edits: [edit('build/dist.mjs', 'Math.max(...sources.map(', 'Math.min(...sources.map(')],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'the CommonJS build is ES modules',
    edits: [edit('build/code.mjs', "{ dir: `${folder}/cjs`, format: 'cjs'", "{ dir: `${folder}/cjs`, format: 'esm'")],
    tests: ['test/package/commonjs.full.test.ts'],
  },
  {
    name: 'openapi.json is not written',
    edits: [edit('build/dist.mjs', "writeFileSync(join(folder, 'openapi.json'),", "writeFileSync(join(folder, 'openapi.txt'),")],
    tests: ['test/package/contents.full.test.ts'],
  },
  {
    name: 'the panel lacks its style sheet',
    edits: [edit('build/panel.mjs', "writeFileSync(join(folder, 'panel.css'), styles())", 'void styles()')],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'the fixtures of the command are not written',
    edits: [
      edit(
        'build/dist.mjs',
        '  utimesSync(',
        "  for (const name of readdirSync(join(work, 'dist/cjs'))) if (name.endsWith('.json')) rmSync(join(work, 'dist/cjs', name))\n  utimesSync(",
      ),
    ],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'a library is left out of the bundle',
    edits: [edit('build/code.mjs', "external: ['msw',", "external: ['js-yaml', 'msw',")],
    tests: ['test/package/entries.full.test.ts'],
  },
  {
    name: 'the minifier mangles names of properties',
    // Rolldown rejects this option if the output has several files.
    edits: [
      edit(
        'build/code.mjs',
        "import { rolldown } from 'rolldown'",
        "import { rolldown } from 'rolldown'\nimport { minifySync } from 'rolldown/utils'",
      ),
      edit(
        'build/code.mjs',
        ', ascii(),',
        ", ascii(), { name: 'fault', renderChunk: (code, { fileName }) => minifySync(fileName, code, { mangle: false, compress: false, mangleProps: { include: /_url$/ } }).code },",
      ),
    ],
    tests: ['test/cli/banner.test.ts'],
  },
  {
    name: 'the alias of zod is lost',
    edits: [edit('build/code.mjs', "        'zod/mini': path('./lazy-zod.mjs'),\n", '')],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'the command is not written in ASCII',
    edits: [edit('build/code.mjs', ', ascii(),', ',')],
    tests: ['test/package/built.test.ts'],
  },
  {
    name: 'the command cannot be executed',
    edits: [edit('build/dist.mjs', '0o755', '0o644')],
    tests: ['test/package/contents.full.test.ts'],
  },
]
