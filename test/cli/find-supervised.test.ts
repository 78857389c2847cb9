import { expect, test } from 'vitest'
import { findSupervised } from '../../src/cli/process/supervision/link.ts'

const find = (words: string, others: Partial<Parameters<typeof findSupervised>[0]> = {}) =>
  findSupervised({
    argv: ['node', 'greenhouse', ...words.split(' ')],
    env: {},
    execArgv: [],
    platform: 'linux',
    send: undefined,
    ...others,
  })

test('a command line with handlers runs in a separate process', () => {
  const env = { GREENHOUSE_HANDLERS: 'own.mjs' }
  expect(find('serve --handlers own.mjs')).toBe('serve')
  expect(find('--port 0 serve --handlers=own.mjs')).toBe('serve')
  expect(find('run --handlers own.mjs -- npx flip')).toBe('run')
  expect(find('flip -- npm test', { env })).toBe('flip')
})

test('all others are run in the process that was started', () => {
  const env = { GREENHOUSE_HANDLERS: 'own.mjs' }
  for (const words of [
    'serve',
    'serve --host handlers',
    'run -- serve --handlers own.mjs',
    'status --handlers own.mjs',
  ])
    expect(find(words), words).toBeUndefined()
  expect(find('serve', { env: { GREENHOUSE_HANDLERS: '' } })).toBeUndefined()
  expect(find('status', { env })).toBeUndefined()
})

test('there is one process where two are of no use', () => {
  const words = 'serve --handlers own.mjs'
  expect(find(words, { platform: 'win32' })).toBeUndefined()
  expect(find(words, { execArgv: ['--inspect-brk=9230'] })).toBeUndefined()
  expect(find(words, { env: { NODE_OPTIONS: '--inspect' } })).toBeUndefined()
  expect(find(words, { send: () => true })).toBeUndefined()
})
