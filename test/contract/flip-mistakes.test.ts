import { expect, test } from 'vitest'
import { run } from '../support/cli.ts'

const node = process.execPath
const list = `await fetch(process.env.PLANTS_BASE_URL + '/plants')`
const script = (text: string) => [node, '--input-type=module', '-e', text]

test.each<[args: string[], message: string]>([
  [['--onyl', 'plants.*', '--', node], 'Unknown flag: --onyl. Did you mean "--only"?'],
  [['--watch', '--', node], 'Unknown flag: --watch.'],
  [[], 'Put the command to run after "--": greenhouse-mock flip -- npm test'],
  [['--'], 'Put the command to run after "--": greenhouse-mock flip -- npm test'],
  [['--only', 'plant.*', '--', node], 'Found no assumption called "plant.*". Did you mean "plants.*"?'],
  [['--only', 'plants.delete.unknwon', '--', node], 'Did you mean "plants.delete.unknown"?'],
  [['--parallel', '0', '--', node], '--parallel 0: expected a whole number from 1 to 64, such as --parallel 4.'],
  [['--report', 'html', '--', node], '--report html: expected table, json, junit or md, such as --report md.'],
  [['--timeout', '0s', '--', node], '--timeout 0s: expected a duration above 0, such as --timeout 90s.'],
  [['--timeout', 'soon', '--', node], '--timeout soon: expected a duration above 0'],
  [
    ['--port', '4999', '--parallel', '2', '--', node],
    '--port: variants that run at once each need a port of their own.',
  ],
  [
    ['--assume', 'plants.delete.unknown=403', '--', node],
    'Failed to set the assumption "plants.delete.unknown" to "403"',
  ],
  [
    ['--case', 'a.case.yaml', '--', node],
    '--case: flip starts every run from fixtures. Leave out --case (or GREENHOUSE_CASE)',
  ],
  [['--state', 'a.yaml', '--', node], '--state: flip starts every run from fixtures.'],
  [['--all=yes', '--', node], '--all: it takes no value.'],
  // A silent pass would prove nothing.
  [['--', ...script(`console.log('fine')`)], 'Nothing to flip: the command passed without a request to the server.'],
])('flip %j is refused before anything is flipped', async (args, message) => {
  const { code, stdout, stderr } = await run(['flip', ...args])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^ +at /m)
})

test('a command that fails as it is: what it printed, and its own exit code', async () => {
  const failing = `${list}; console.log('two tests'); console.error('one failed'); process.exitCode = 7`
  const { code, stdout, stderr } = await run(['flip', '--report', 'json', '--', ...script(failing)])
  expect([code, stdout]).toEqual([7, ''])
  expect(stderr).toContain('two tests\n')
  expect(stderr).toContain('one failed\n')
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'The command fails as it is, with exit code 7: nothing was flipped. Make it pass with greenhouse-mock run first.',
  )
})
