import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

const before = `
    import { serve } from '${entry('server')}'
    import { createGreenhouse } from '${entry('index')}'
    const greenhouse = createGreenhouse()
    const { nextTick } = process
    // Fakes it like Sinon and Vitest.
    const fake = () => (process.nextTick = Object.assign(() => undefined, { clock: {} }))
    const unfake = () => (process.nextTick = nextTick)`

const advice =
  "Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers({ toNotFake: ["

test('a server says so too where it runs already, and closes all the same', async () => {
  const script = `${before}
    const server = await serve(greenhouse)
    const reply = await fetch(server.url + '/plants')
    await reply.arrayBuffer()
    fake()
    const said = await new Promise((resolve) => (console.error = resolve))
    await server.close()
    unfake()
    console.log(JSON.stringify(said.replace(server.url, 'URL')))`
  const said = await runScript(script)
  expect(said).toMatch(
    /^process\.nextTick is faked while Greenhouse serves URL: requests of this process to any server hang/,
  )
  expect(said).toContain(advice)
})

test('a server says nothing about a fake that lasts a second', async () => {
  const script = `${before}
    const server = await serve(greenhouse)
    const said = []
    console.error = (text) => said.push(text)
    fake()
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    unfake()
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await server.close()
    console.log(JSON.stringify(said))`
  expect(await runScript(script)).toEqual([])
})

/** Jest 29 leaves Node's own module alone; Jest 30 gives its copy there, too. */
test.each([
  ['', ''],
  [", which is Node's module to the test", ', getBuiltinModule: () => globalThis.process'],
])(
  "what a runner fakes in a copy of process%s, as Jest does, is none of the server's business",
  async (_, module) => {
    const script = `${before}
    const real = process
    globalThis.process = Object.assign(Object.create(process), { nextTick: Object.assign(() => undefined, { clock: {} })${module} })
    const server = await serve(greenhouse)
    const said = []
    console.error = (text) => said.push(text)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const reply = await fetch(server.url + '/plants')
    await reply.arrayBuffer()
    await server.close()
    globalThis.process = real
    console.log(JSON.stringify([reply.status, said]))`
    expect(await runScript(script)).toEqual([401, []])
  },
)
