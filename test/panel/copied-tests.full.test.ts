import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { createGreenhouse } from 'greenhouse-mock'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import { installPacked, toUserEnvironment } from '../package/packed.ts'
import { control } from '../support/control.ts'
import { createCaller, start, toInit } from '../support/test-api.ts'

test('for each operation and status, the copied test passes', async () => {
  using greenhouse = createGreenhouse({ now: start })
  await using server = await serve(greenhouse)
  const send = (path: string, init?: RequestInit) => fetch(server.url + path, init)
  const call = createCaller(send)
  const world = greenhouse.world()
  const project = installPacked({ beside: ['vitest'] })
  const byHead = new Map<string, string[]>()
  let shown = ''
  let time = 0
  for (const [operation, ways] of Object.entries(cases))
    for (const [status, asked] of Object.entries(ways)) {
      for (const [what, ask] of asked.slice(0, Number(process.env['WAYS'] ?? 1))) {
        world.reset()
        world.clock.freeze()
        const [method, path, options] = await toSent(ask, call, world)
        await (await send(path, toInit(method, options))).text().catch(() => '')
        const { id } = world.journal.calls().at(-1)!
        const began = performance.now()
        const { body } = await control(server, 'GET', `/worlds/default/journal/${id}/code?as=vitest`)
        time += performance.now() - began
        const code = body.text as string
        const at = code.indexOf('\ntest(')
        const head = code.slice(code.indexOf('import'), at)
        shown += `### ${operation} ${status} ${what} ${Math.round(performance.now() - began)} ms\n${code.slice(0, code.indexOf('import'))}${code.slice(at)}`
        byHead.set(head, [
          ...(byHead.get(head) ?? []),
          code.slice(at).replace("test('", `test('${operation} ${status} ${what}: `),
        ])
      }
    }
  let file = 0
  for (const [head, tests] of byHead) project.write(`${++file}.test.mjs`, head + tests.join(''))
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
    cwd: project.folder,
    env: toUserEnvironment(),
  })
  const [output] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])

  project.remove()
  expect(output).toContain('passed')
})
