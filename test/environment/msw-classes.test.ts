import { HttpHandler, RequestHandler } from 'msw'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

test('a filter by the classes of msw finds our handlers', async () => {
  const [handler] = createHandlers(createGreenhouse())
  expect(handler).toBeInstanceOf(HttpHandler)
  expect(handler).toBeInstanceOf(RequestHandler)
  const matches = ['/v1/apps', '/elsewhere'].map((path) =>
    handler!.test({ request: new Request(`http://a.test${path}`) }),
  )
  expect(await Promise.all(matches)).toEqual([true, false])
})

test('an import of our handlers does not load GraphQL, which takes longer than all the rest', async () => {
  const loaded = await runScript(`
    import { Session } from 'node:inspector'
    import { createGreenhouse } from '${entry('index')}'
    import { createHandlers } from '${entry('msw')}'
    import { setupServer } from 'msw/node'
    const greenhouse = createGreenhouse()
    setupServer(...createHandlers(greenhouse)).listen()
    const { status } = await fetch('http://a.test/v1/apps', { headers: { authorization: 'Bearer key_pro' } })
    const urls = []
    const session = new Session()
    session.connect()
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url))
    session.post('Debugger.enable')
    const count = (name) => urls.filter((url) => url.includes(name)).length
    console.log(JSON.stringify([status, count('node_modules/msw/') > 0, count('graphql')]))`)
  expect(loaded).toEqual([200, true, 0])
})
