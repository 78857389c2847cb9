// Measures the project: tokens of each room of src and of the tests, words of documentation, bytes
// of the package. Fails above a ceiling of .ci/weight.json. `--lower` lowers the ceilings to what
// is there, and a commit that raises one says why.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, '.ci/weight.json')
const ceilings = JSON.parse(readFileSync(path, 'utf8'))

const filesOf = (folder, pattern) =>
  execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => pattern.test(file) && !file.includes('/generated/'))

// A word, a number, a string and an operator are one token each; a comment is none. So a line costs
// nothing, and a dense one wins nothing.
const scanner =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[A-Za-z_$#][\w$]*|\d[\w.]*|=>|\.\.\.|\?\?=|&&=|\|\|=|===|!==|\*\*|[=!<>]=|&&|\|\||\?\?|\?\.|\+\+|--|[-+*/%]=|\S/g
const isComment = (token) => token.startsWith('//') || token.startsWith('/*')
const count = (files, measure) =>
  files.reduce((sum, file) => sum + measure(readFileSync(join(root, file), 'utf8')), 0)
const countTokens = (text) =>
  (text.match(scanner) ?? []).filter((token) => !isComment(token)).length
const countWords = (text) => text.match(/\S+/g)?.length ?? 0

const source = filesOf('src', /\.(tsx?|css)$/)
const roomOf = (file) =>
  file.split('/').length === 2 ? 'src, entries' : file.split('/').slice(0, 2).join('/')
const filesIn = (room) => source.filter((file) => roomOf(file) === room)
const rooms = [...new Set(source.map(roomOf))].sort()

const pack = ['pack', '--dry-run', '--ignore-scripts', '--json']
const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }))

const weights = {
  'files of src': source.length,
  'tokens of src': count(source, countTokens),
  ...Object.fromEntries(
    rooms.map((room) => [`tokens of ${room}`, count(filesIn(room), countTokens)]),
  ),
  'tokens of test': count(filesOf('test', /\.(tsx?|css)$/), countTokens),
  'words of docs': count(filesOf('docs', /\.md$/), countWords),
  'files of the package': packed.files.length,
  'kB of the package, packed': Math.round(packed.size / 1000),
  'kB of the package, unpacked': Math.round(packed.unpackedSize / 1000),
  // .ci/run measures it, and takes it from here.
  's of processor time of npm test': ceilings['s of processor time of npm test'],
}

if (process.argv.includes('--lower')) {
  // What a build weighs varies a little, so these ceilings have room and are set by hand.
  const isByHand = (name) => name in ceilings && name.startsWith('kB')
  const lowered = Object.entries(weights).map(([name, value]) => [
    name,
    isByHand(name) ? ceilings[name] : Math.min(ceilings[name] ?? Infinity, value),
  ])
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`)
}

for (const [name, value] of Object.entries(weights)) {
  const ceiling = ceilings[name] ?? 0
  console.log(`${name}: ${value} of at most ${ceiling}`)
  if (value <= ceiling) continue
  console.error(
    `${name}: ${value} is above the ceiling of ${ceiling}. Take something out, or raise it in .ci/weight.json in a commit that says why.`,
  )
  process.exitCode = 1
}
