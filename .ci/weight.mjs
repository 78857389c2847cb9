// Measures the project: lines by folder, words of documentation, bytes of the package. Fails above a limit of
// .ci/weight.json, of all and of each room; `--lower` lowers them to what is there, and a commit that raises one says why.
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
const foldersOf = (parent) =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`)

const entries = filesOf('src', /^src\/[^/]+\.ts$/)
/** Files that an entry re-exports: the documentation of the package is in their comments. */
const exported = new Set(
  entries.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/from\s+'\.\/([^']+)'/g)].map(([, path]) => `src/${path}`),
  ),
)
const inside = (files) => files.filter((file) => !exported.has(file) && !file.includes('/generated/'))

const rooms = [...foldersOf('src').map((name) => [name, filesOf(name, code)]), ['src, entries', entries]].map(
  ([name, files]) => ({
    name,
    files: files.length,
    lines: count(files, /\n/g),
    'comments inside': name === 'src, entries' ? 0 : count(inside(files), /^[ \t]*\/\*\*/gm),
  }),
)
const tests = foldersOf('test').map((name) => ({ name, lines: count(filesOf(name, code), /\n/g) }))
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root, encoding: 'utf8' }),
)

const sum = (some, key) => some.reduce((total, one) => total + one[key], 0)
const weights = {
  'files of src': sum(rooms, 'files'),
  'lines of src': sum(rooms, 'lines'),
  'comments inside src': sum(rooms, 'comments inside'),
  'lines of test': sum(tests, 'lines'),
  'words of docs': count(filesOf('docs', /\.md$/), /\S+/g),
  'kB of the package, packed': Math.round(packed.size / 1000),
  'kB of the package, unpacked': Math.round(packed.unpackedSize / 1000),
  // .ci/run measures it, and takes it from here.
  's of processor time of npm test': ceilings['s of processor time of npm test'],
}
const ofRooms = Object.fromEntries(
  [...rooms, ...tests]
    .filter(({ lines }) => lines > 0)
    .flatMap(({ name, ...figures }) => Object.entries(figures).map(([what, value]) => [`${name}, ${what}`, value])),
)

if (process.argv.includes('--lower')) {
  for (const [name, value] of Object.entries({ ...weights, ...ofRooms }))
    if (name in ofRooms || (name in ceilings && !name.startsWith('kB')))
      ceilings[name] = Math.min(ceilings[name] ?? Infinity, value)
  for (const name of Object.keys(ceilings)) if (!(name in weights) && !(name in ofRooms)) delete ceilings[name]
  writeFileSync(join(root, '.ci/weight.json'), `${JSON.stringify(ceilings, null, 2)}\n`)
}

for (const [name, value] of Object.entries(weights)) {
  const ceiling = ceilings[name]
  console.log(`${name}: ${value}${ceiling === undefined ? '' : ` of at most ${ceiling}`}`)
}
for (const [name, value] of Object.entries({ ...weights, ...ofRooms })) {
  const ceiling = ceilings[name] ?? (name in ofRooms ? 0 : Infinity)
  if (value <= ceiling) continue
  console.error(
    `${name}: ${value} is above the ceiling of ${ceiling}. Take something out, or raise it in .ci/weight.json in a commit that says why.`,
  )
  process.exitCode = 1
}
