import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { builtInCatalogue } from '../../src/catalogue/catalogue.ts'
import { commandsOf, withActions } from '../../src/cli/commands/actions.ts'
import { commands } from '../../src/cli/commands.ts'
import { controlActions, routeOf } from '../../src/control/actions/index.ts'
import type { ControlAction } from '../../src/control/call.ts'
import { ControlApi } from '../../src/control/client/control-api.ts'
import { createControlDocument } from '../../src/control/document.ts'
import { root } from '../package/packed.ts'
import { connectOverHttp } from '../support/mcp.ts'

/**
 * Everything that is made from the table, with whether it has an action. A new action is one object
 * in one file: it arrives at each of these doors without a second place. The object itself says why
 * not, with `commands` as a sentence, or as a stream of events.
 */
const doors: Readonly<
  Record<string, (url: string) => Promise<(action: ControlAction) => unknown>>
> = {
  async 'a route, and the client of it'(url) {
    const api = new ControlApi(url)
    const place = { collection: 'plants', id: '1', snapshot: 'one', scenario: 'slow' }
    return async (action) => {
      if (action.events) {
        const stream = action.id === 'server.events' ? api.events() : api.entries()
        const { value } = await stream.next()
        await stream.return(undefined)
        return value![0]!.type === 'open'
      }
      const code = await api
        .call(routeOf(action), place as never)
        .catch((error: { code: string }) => error.code)
      return code !== 'not_found'
    }
  },
  async 'a command, or says which command made by hand does it'() {
    const known = withActions(commands).flatMap(({ name, subcommands = [] }) => [
      name,
      ...subcommands.map((one) => `${name} ${one.name}`),
    ])
    return (action) => {
      const said =
        typeof action.commands === 'string' ? [action.commands] : Object.keys(commandsOf(action))
      const isKnown = (form: string) =>
        known.some((one) => `${form} `.replace(',', ' ').startsWith(`${one} `))
      return said.length > 0 && said.every(isKnown)
    }
  },
  async 'a tool of MCP, if it has one answer'(url) {
    const { use } = await connectOverHttp(url)
    const listed: string[] = []
    for (let next: object | undefined = {}; next;) {
      const page: { data: { action: string }[]; next?: object } = await use(
        'control',
        next as Record<string, unknown>,
      )
      listed.push(...page.data.map(({ action }) => action))
      next = page.next
    }
    return ({ id, events }) => listed.includes(id) === (events === undefined)
  },
  async 'an operation of the OpenAPI document'() {
    const { paths } = await createControlDocument(controlActions, {
      server: '',
      catalogue: builtInCatalogue,
    })
    return ({ id, method, path }) => paths[path]?.[method.toLowerCase()]?.operationId === id
  },
  async 'a row of the page control-routes.md'() {
    const rows = readFileSync(`${root}/dist/docs/control-routes.md`, 'utf8').split('\n')
    return (action) =>
      rows.some((row) => row.includes(`\`${routeOf(action)}\``) && row.includes(action.title))
  },
}

test.each(Object.entries(doors))('every action has %s', async (_, open) => {
  await using server = await serve(createGreenhouse())
  const has = await open(server.url)
  const missing: string[] = []
  for (const action of controlActions) if (!(await has(action))) missing.push(action.id)
  expect(missing).toEqual([])
})
