import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/packed.ts'
import { writeFolder } from '../support/folder.ts'

test('the printed bash script completes commands, flags, scenarios and events', () => {
  const bin = join(writeFolder({}), 'bin')
  mkdirSync(bin, { recursive: true })
  symlinkSync(join(root, 'dist/greenhouse.cjs'), join(bin, 'greenhouse-mock'))
  const lines = [['cl'], ['scenario', 'use', 'expi'], ['trigger', 'plant'], ['serve', '--po']]
  const script = [
    'source <(greenhouse-mock completion)',
    ...lines.map(
      (words) =>
        `COMP_WORDS=(greenhouse-mock ${words.join(' ')}); COMP_CWORD=${words.length}; _greenhouse-mock_yargs_completions; echo "\${COMPREPLY[@]}"`,
    ),
  ].join('\n')
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, SHELL: '/bin/bash' }
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', env })
  expect(printed.trimEnd().split('\n')).toEqual(['clock', 'expired-key', 'plant.created', '--port'])
})
