import { join } from 'node:path'
import { loadCase } from 'greenhouse-mock/node'
import { expect, test } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { startServeProcess } from '../support/process.ts'

const add = (id: number) => ({
  method: 'POST',
  body: JSON.stringify({ id, name: 'Fern'.repeat(20) }),
})

/** The ids of the plants in a state that are not those of the default fixtures. */
function plantsIn(file: string): number[] {
  const { put = [], replace = put } = loadCase(file).start?.records?.['plants'] ?? {}
  return replace.map(({ id }) => Number(id)).filter((id) => id >= 900 && id < 10_000)
}

test('a server that is killed loses the writes of 500 ms at most, and its file is whole', async () => {
  const file = join(writeFolder({}), 'state.yaml')
  let id = 900
  for (const lifetime of [350, 700, 1_234]) {
    const { call, stop, child } = await startServeProcess(['--state', file])
    setTimeout(() => void stop('SIGKILL'), lifetime)
    const written: [id: number, at: number][] = []
    const begunAt = performance.now()
    for (; (await call('/plants', add(id)).catch(() => undefined))?.ok; id++)
      written.push([id, performance.now()])
    const killedAt = performance.now()
    // A busy machine may be late with all, and the last request waits for a write that the signal
    // cuts off.
    const times = [begunAt, ...written.map(([, at]) => at), killedAt]
    const slowest = Math.max(...times.map((at, index) => at - (times[index - 1] ?? at)))
    expect(child.killed).toBe(true)
    const kept = new Set(plantsIn(file))
    expect(written.filter(([one, at]) => at < killedAt - 500 - slowest && !kept.has(one))).toEqual(
      [],
    )
    id++
  }
})
