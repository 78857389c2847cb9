import { defineCommand } from '../command.ts'
import { existsSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { UsageError } from '../errors.ts'
import { print, type Terminal } from '../terminal.ts'
import { createFolder, writeFile } from '../output/write-file.ts'

const defaultFile = 'fixtures/own.yaml'

const schema = 'node_modules/greenhouse-mock/fixtures/fixtures.schema.json'

const text = `# Records that every world starts with. Docs: docs/fixtures.md of the package
# "greenhouse-mock check" finds mistakes in it, "greenhouse-mock serve --fixtures fixtures" serves it.

# The default records: four accounts, key_free to key_pro_plus, plants, apps. Leave this out to start with nothing.
extends: default

accounts:
  # A record with an id that is there changes the fields that it has.
  - { id: acct_lite, name: Our first customer }
  - { id: acct_ours, name: Ours, email: ours@example.com, plan: pro }

keys:
  - { secret: key_ours, account: acct_ours }

plants:
  - { id: 9001, name: Welwitschia mirabilis, tag: desert, account: acct_ours }

# Plans: what the file says of one changes it, another id adds one.
# plans: [{ id: pro, minute: 10 }, { id: team, minute: 1000, day: 500000, apps: 200, price: 4900 }]

# Records to leave out, by id.
# remove: { plants: [1, 2] }

# Records to make up: plants, apps or users. The same seed makes the same ones.
# generate: { plants: { count: 5000, account: acct_ours, seed: 7 } }
`

export const fixturesCommand = defineCommand({
  command: 'fixtures',
  describe: 'Write a small file of fixtures to begin with',
  subcommands: [
    defineCommand({
      command: 'init [file]',
      describe: 'Write a small file of fixtures to begin with',
      positionals: () => ({ file: { default: defaultFile, describe: 'The file to write' } }),
      flags: { force: { isOn: false, describe: 'Replace a file that is there' } },
      examples: [['fixtures init', `Write ${defaultFile}`]],
      run: ({ file, force }, terminal) => writeFixtures(file!, force, terminal),
    }),
  ],
})

function writeFixtures(file: string, force: boolean, terminal: Terminal): void {
  if (!/^[^.].*\.ya?ml$/.test(basename(file)))
    throw new UsageError(`${file}: expected a name that ends in .yaml or .yml, such as ${defaultFile}.`)
  if (existsSync(file) && !force) throw new UsageError(`${file} exists. Name another file, or replace it with --force.`)
  const hint = existsSync(schema)
    ? `# yaml-language-server: $schema=${relative(dirname(file), schema).replaceAll('\\', '/')}\n`
    : ''
  createFolder(dirname(file))
  writeFile(file, hint + text)
  print(terminal, `Wrote ${file}. Serve it: greenhouse-mock serve --fixtures ${dirname(file)}\n`)
}
