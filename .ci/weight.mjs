// Measures the project: lines by folder, words of documentation, bytes of the package. Fails above a limit of
// .ci/weight.json; a commit that raises a limit says why. `node .ci/weight.mjs --write` updates docs/weight.md.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ceilings = JSON.parse(readFileSync(join(root, '.ci/weight.json'), 'utf8'))

const filesOf = (folder, pattern) =>
  execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => pattern.test(file))

const count = (files, pattern) =>
  files.reduce((sum, file) => sum + (readFileSync(join(root, file), 'utf8').match(pattern)?.length ?? 0), 0)

const code = /\.(tsx?|css)$/
const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const files = filesOf(`src/${name}`, code)
    return [`src/${name}`, files.length, count(files, /\n/g)]
  })
const entries = filesOf('src', /^src\/[^/]+\.ts$/)
rooms.push(['src, entries', entries.length, count(entries, /\n/g)])
const tests = filesOf('test', code)
const pages = filesOf('docs', /\.md$/)
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root, encoding: 'utf8' }),
)

const weights = {
  'lines of src': rooms.reduce((sum, [, , lines]) => sum + lines, 0),
  'lines of test': count(tests, /\n/g),
  'words of docs': count(pages, /\S+/g),
  'kB of the package, packed': Math.round(packed.size / 1000),
  'kB of the package, unpacked': Math.round(packed.unpackedSize / 1000),
  's of processor time of npm test': Number(readFileSync(join(root, '.ci/budget'), 'utf8')),
}

if (process.argv.includes('--write')) {
  const table = (head, rows) =>
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  const shown = (value) => value.toLocaleString('en')
  writeFileSync(
    join(root, 'docs/weight.md'),
    `# What it weighs

\`node .ci/weight.mjs --write\` writes this page. \`.ci/run\` fails above a ceiling of \`.ci/weight.json\`; raising one takes a reason.

${table(
  ['what', 'now', 'ceiling'],
  Object.entries(weights).map(([name, value]) => [name, shown(value), shown(ceilings[name] ?? value)]),
)}

${table(
  ['folder', 'files', 'lines'],
  rooms.map(([name, files, lines]) => [`\`${name}\``, shown(files), shown(lines)]),
)}
`,
  )
}

for (const [name, value] of Object.entries(weights)) {
  const ceiling = ceilings[name]
  console.log(`${name}: ${value}${ceiling === undefined ? '' : ` of at most ${ceiling}`}`)
  if (ceiling !== undefined && value > ceiling) {
    console.error(
      `That is above the ceiling. Take something out, or raise it in .ci/weight.json in a commit that says why.`,
    )
    process.exitCode = 1
  }
}
