import { expect, test } from 'vitest'
import { run, startServe } from '../support/cli.ts'

/** A wrong command line, and the words of the error. */
const mistakes: [args: string[], message: string][] = [
  [[], 'A command is missing.'],
  [['serv'], 'Unknown command: serv. Did you mean "serve"?\nSee'],
  [['worlds', 'create', '--seed', '1'], 'Unknown command: worlds.\nSee'],
  [['case', 'tset', 'a.case.yaml', '--runner', 'jest'], 'Unknown command: tset. Did you mean "test"?\nSee'],
  [['completion', 'fish'], 'Unknown argument: fish.\nSee'],
  [['serve', 'plants'], 'Unknown argument: plants'],
  [['serve', '--prot', '1'], 'Unknown flag: --prot. Did you mean "--port"?'],
  [
    ['serve', '--no-trac', '--scenaro=x', '--allow-hots', 'y'],
    'Unknown flag: --no-trac. Did you mean "--no-trace"?\nUnknown flag: --scenaro. Did you mean "--scenario"?\nUnknown flag: --allow-hots. Did you mean "--allow-host"?\n',
  ],
  [['check', '--scenarios', 'mine'], 'Unknown flag: --scenarios.\nWrite: greenhouse-mock check [dirs..]\n'],
  [['scenario', 'use', 'slow', '--wrld', 'x'], 'Unknown flag: --wrld. Did you mean "--world"?'],
  [['scenario', 'use', ', '], 'Name the scenarios to use; greenhouse-mock scenario clear switches all of them off.'],
  [['serve', '--cors', 'foo'], '--cors foo: expected an origin'],
  [['serve', '--port'], '--port: a value is missing.'],
  [['serve', '--port', 'abc'], '--port abc: expected a whole number from 0 to 65535, such as --port 4010.'],
  [['serve', '--port', '65536'], '--port 65536: expected a whole number from 0 to 65535, such as --port 4010.'],
  [['serve', '--port', '80.5'], '--port 80.5: expected a whole number from 0 to 65535, such as --port 4010.'],
  [['serve', '--seed', 'x'], '--seed x: expected a whole number, such as --seed 7.'],
  [['serve', '--body-limit', '-1'], '--body-limit -1: expected a number of bytes, such as --body-limit 64MiB.'],
  [
    ['serve', '--now', 'yesterday'],
    '--now yesterday: expected a time in ISO 8601, such as --now 2026-01-31T12:00:00Z.',
  ],
  [['serve', '--log', 'xml'], '--log xml: expected pretty, json or silent, such as --log json.'],
  [
    ['serve', '--assume', 'plants.delete.unknown'],
    '--assume plants.delete.unknown: expected ID=VALUE, such as --assume plants.delete.unknown=204.',
  ],
  [
    ['serve', '--assume', 'plants.delete.unknwn=204'],
    'there is no such assumption. Did you mean "plants.delete.unknown"?',
  ],
  [['serve', '--assume', 'plants.delete.unknown=205'], 'it can be "404", "400", "204".'],
  [['serve', '--scenario', 'expird-key'], 'there is no such scenario. Did you mean "expired-key"?'],
  [['serve', '--scenario', 'malformed-plant:kind=odd'], 'the option "kind" takes one of "wrong-type", "null"'],
  [
    ['serve', '--host', '0.0.0.0'],
    '--host 0.0.0.0 lets other machines reach this server, its control API included. Set a secret with --token',
  ],
  [['serve', '--host', '::'], '--host :: lets other machines reach this server, its control API included.'],
  [
    ['serve', '--host', 'example.com'],
    '--host example.com lets other machines reach this server, its control API included.',
  ],
  [['serve', '--state', 'a.yaml', '--case', 'b.yaml'], '--case: not together with --state. Use one of them.'],
  [['serve', '--fixtures', 'nowhere'], 'Failed to read the folder "nowhere": ENOENT'],
  [['serve', '--scenarios', 'nowhere'], 'Failed to read the folder "nowhere": ENOENT'],
  [['check', 'nowhere'], `The path is relative to ${process.cwd()}.`],
  [['check', 'test'], 'Found no YAML or JSON files in the folder'],
  [['scenario'], 'Expected list, show, use or clear.'],
  [['scenario', 'show'], 'An argument is missing. Write: greenhouse-mock scenario show <name>'],
  [['clock', 'advance'], 'An argument is missing. Write: greenhouse-mock clock advance <duration>'],
  [['trigger'], 'An argument is missing. Write: greenhouse-mock trigger <event>'],
  [['run', '--port', '0'], 'Put the command to run after "--"'],
  [['run', 'npx', 'vitest', '--run'], 'Put -- before the command: greenhouse-mock run -- npx vitest --run'],
  [['run', '--strict', 'npx', 'vitest'], 'Put -- before the command: greenhouse-mock run --strict -- npx vitest'],
  [['scenario', 'use', 'slow', 'ms=800'], 'ms=800: this is an option, not a scenario. Did you mean "slow:ms=800"?'],
  [['scenario', 'use', 'slow:ms=800', 'on=apps.*'], 'Did you mean "slow:ms=800,on=apps.*"?'],
  [
    ['serve', '--scenario', 'ms=800'],
    'Write options after the name of their scenario and a colon, such as slow:ms=800.',
  ],
  [['scenario', 'show', 'expird-key'], 'Did you mean "expired-key"?'],
  [['routes', '--nonsense'], 'Unknown flag: --nonsense.'],
  [['serve', '--now', '+275760-09-13T00:00:00Z'], 'expected a time in the years 1970 to 9999'],
  [['serve', '--now', '1969-12-31'], 'expected a time in the years 1970 to 9999'],
  [['serve', '--now', '+010000-01-01'], 'expected a time in the years 1970 to 9999'],
]

for (const [args, message] of mistakes)
  test(`greenhouse ${args.join(' ')} ends with code 2 and says why`, async () => {
    const { code, stdout, stderr } = await run(args)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/^ +at |file:\/\/|node:internal/m)
    expect([code, stdout]).toEqual([2, ''])
  })

test('a port that is taken ends with code 2 and names the port and the flag', async () => {
  const { ready } = await startServe()
  const { port } = new URL(ready.plants_url)
  const { code, stderr } = await run(['serve', '--port', port])
  expect(code).toBe(2)
  expect(stderr).toContain(`port ${port} is taken. Choose another with --port`)
  expect(stderr).not.toMatch(/^ +at /m)
})
