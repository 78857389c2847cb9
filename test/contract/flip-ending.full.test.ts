import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, start } from '../support/cli.ts'
import { isAlive } from '../support/process.ts'
import { writeFolder } from '../support/folder.ts'

const node = process.execPath

/** Lists plants; where the order is another one than it was the first time, it waits for ever. */
const waits = `
  const reply = await fetch(process.env.PLANTS_BASE_URL + '/plants', { headers: { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO } })
  const [first] = await reply.json()
  const fs = await import('node:fs')
  const file = process.argv[1]
  if (!fs.existsSync(file)) fs.writeFileSync(file, first.name)
  if (fs.readFileSync(file, 'utf8') !== first.name) {
    const { pid } = (await import('node:child_process')).spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    fs.writeFileSync(file + '.part', JSON.stringify([process.pid, pid]))
    fs.renameSync(file + '.part', file + '.pids') // whole once it is there: the test stops this process then
    console.log('waiting for ' + first.name)
    setInterval(() => {}, 1_000)
  }`
const command = (file: string) => ['--', node, '--input-type=module', '-e', waits, file]
const readPids = (file: string): number[] => JSON.parse(readFileSync(file + '.pids', 'utf8'))

test('a command that hangs in a variant is reported as hung and ended with its processes', async () => {
  const file = join(writeFolder({}), 'first')
  const { code, stdout, stderr } = await run([
    'flip',
    '--only',
    'plants.list.order',
    '--timeout',
    '4s',
    '--report',
    'json',
    ...command(file),
  ])
  expect(code).toBe(1)
  const { summary, depends_on, variants } = JSON.parse(stdout)
  expect(depends_on).toEqual(['plants.list.order'])
  expect(summary).toMatchObject({ hung: 1, holds: 1 })
  expect(variants.find(({ outcome }: { outcome: string }) => outcome === 'hung')).toMatchObject({
    value: 'newest',
    exit_code: null,
    line: expect.stringMatching(/^waiting for /),
  })
  expect(stderr).toMatch(/plants\.list\.order=newest hung: still running after 4\.\d s; waiting for /)
  for (const pid of readPids(file)) await expect.poll(() => isAlive(pid)).toBe(false)
})

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test.skipIf(process.platform === 'win32')(`${signal} ends what runs and reports what is known`, async () => {
    const file = join(writeFolder({}), 'first')
    const { kill, ended } = start([
      'flip',
      '--only',
      'plants.list.limit-default',
      '--only',
      'plants.list.order',
      '--timeout',
      '1h',
      '--report',
      'json',
      ...command(file),
    ])
    await expect.poll(() => existsSync(file + '.pids')).toBe(true)
    kill(signal)
    const { code, stdout } = await ended
    expect(code).toBe(status)
    const report = JSON.parse(stdout)
    expect(report.partial).toBe(true)
    expect(report.depends_on).toEqual([])
    expect(report.summary).toMatchObject({ breaks: 0, hung: 0, holds: 2, not_run: 2 })
    for (const pid of readPids(file)) await expect.poll(() => isAlive(pid)).toBe(false)
  })

test.skipIf(process.platform === 'win32')('a signal before the command has ended once: nothing to report', async () => {
  const { kill, ended, untilPrinted } = start(['flip', '--', node, '-e', 'setInterval(() => {}, 1000)'])
  await untilPrinted(/Running/, 'stderr')
  kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect([code, stdout]).toEqual([143, ''])
  expect(stderr).toContain('Stopped before the command had run once.')
})
