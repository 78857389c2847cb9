import os from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { type GreenhouseOptions, createGreenhouse } from 'greenhouse-mock'
import { run, startServe } from '../support/cli.ts'

afterEach(() => void vi.restoreAllMocks())

/**
 * Writes until no more may be written, and gives the limit that the error names. All records share
 * one text, so that none is held.
 */
function limitOf({ records } = createGreenhouse().world()): number {
  const name = 'x'.repeat(2 ** 20)
  for (let id = 1_000; id < 10_000; id++)
    try {
      records.plants.create({ id, name, account: 'acct_pro' })
    } catch (error) {
      expect((error as Error).name).toBe('DataMemoryError')
      return Number(/reached: (\d+) bytes/.exec((error as Error).message)![1])
    }
  throw new Error('There was no limit.')
}

const machine = (bytes: number, container = 0) => {
  vi.spyOn(os, 'totalmem').mockReturnValue(bytes)
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(container)
}

test.each<[string, bytes: number, container: number, limit: number, options?: GreenhouseOptions]>([
  ['512 MiB on a large machine', 64 * 2 ** 30, 0, 512],
  ['512 MiB where Node knows no limit of the process', 64 * 2 ** 30, 2 ** 64, 512],
  ["an eighth of the machine's memory where that is less", 2 * 2 ** 30, 0, 256],
  ["an eighth of its container's", 64 * 2 ** 30, 100 * 2 ** 20, 12.5],
  ['what is given, on any machine', 64 * 2 ** 20, 0, 16, { memory: 2 ** 24 }],
])('requests may write %s', (_, bytes, container, limit, options) => {
  machine(bytes, container)
  expect(limitOf(createGreenhouse(options).world())).toBe(limit * 2 ** 20)
})

test.each([
  [undefined, 512],
  [8, 512],
  [0.5, 64],
])('a page whose browser reports %s GiB of memory may write %s MiB', (deviceMemory, limit) => {
  vi.stubGlobal('navigator', { deviceMemory })
  vi.stubGlobal('process', undefined)
  try {
    expect(limitOf()).toBe(limit * 2 ** 20)
  } finally {
    vi.unstubAllGlobals()
  }
})

test("the command takes an eighth of the machine's memory too, and its help says so", async () => {
  machine(8 * 2 ** 20)
  const { call, stop } = await startServe()
  const create = async (id: number) => {
    const reply = await call('/plants', {
      method: 'POST',
      body: JSON.stringify({ id, name: 'x'.repeat(600_000) }),
    })
    return [reply.status, await reply.text()]
  }
  expect(await create(1_000)).toEqual([200, expect.anything()])
  expect(await create(1_001)).toEqual([507, expect.stringContaining('reached: 1048576 bytes')])
  await stop()
  const { stdout } = await run(['serve', '--help'])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "Memory for the data and journals of all worlds together [string] [default: 512MiB, or an eighth of the machine's memory if that is less]",
  )
})
