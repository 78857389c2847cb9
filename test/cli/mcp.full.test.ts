import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { command } from '../support/process.ts'

const line = (method: string, params: object = {}, id?: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n'

test('while nobody reads the answers, no further calls are read', async () => {
  const child = spawn(process.execPath, [command, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill())
  const count = 100
  const client = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  child.stdin.write(line('initialize', client, 0) + line('notifications/initialized'))
  const read = { uri: 'greenhouse://openapi/apps' }
  // Long enough that not all fits into the pipe; the answers are some 30 MB.
  for (let id = 1; id <= count; id++)
    child.stdin.write(line('resources/read', { ...read, _meta: { x: 'x'.repeat(15_000) } }, id))
  // It answers, and the first answer fills the pipe.
  await once(child.stdout, 'readable')
  let waiting = -1
  await expect
    .poll(() => waiting === (waiting = child.stdin.writableLength), { interval: 500 })
    .toBe(true)
  expect(waiting).toBeGreaterThan(0)
  const ids: number[] = []
  for await (const text of createInterface(child.stdout))
    if (ids.push(JSON.parse(text).id) > count) child.stdin.end()
  expect(ids.sort((one, other) => one - other)).toEqual(
    Array.from({ length: count + 1 }, (_, id) => id),
  )
})
