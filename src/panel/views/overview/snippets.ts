import { quoteForShell as quote, toLiteral } from '../../../core/definitions/literal.ts'
import type { AreaName } from '../../../areas/area-names.ts'
import type { Start } from '../../data/shapes.ts'

interface SnippetInput {
  readonly start: Start
  readonly key: string
  readonly bareKey: string
  readonly world: string
}

interface Snippet {
  readonly id: string
  readonly title: string
  readonly needs: readonly AreaName[]
  readonly toText: (input: SnippetInput) => string
}

export const snippets: readonly Snippet[] = [
  {
    id: 'curl',
    title: 'curl',
    needs: [],
    toText: ({ start: { plants_url: plants, apps_url: apps, areas }, key }) =>
      [
        areas.includes('plants') && `curl -H ${quote(`Authorization: Bearer ${key}`)} '${plants}/plants?limit=3'`,
        areas.includes('apps') && `curl -H ${quote(`Authorization: Bearer ${key}`)} -i ${apps}/apps`,
        areas.includes('plants') &&
          `curl -H ${quote(`Authorization: Bearer ${key}`)} -H 'Content-Type: application/json' \\
     -d '{"id": 1000, "name": "Ficus", "tag": "tree"}' ${plants}/plants`,
      ]
        .filter((line) => line !== false)
        .join('\n'),
  },
  {
    id: 'fetch',
    title: 'fetch',
    needs: ['plants'],
    toText: ({ start: { plants_url: plants }, key }) => `const response = await fetch('${plants}/plants?limit=3', {
  headers: { authorization: ${toLiteral(`Bearer ${key}`)} },
})
console.log(response.status, await response.json())`,
  },
  {
    id: 'axios',
    title: 'axios',
    needs: ['apps'],
    toText: ({ start: { apps_url: apps }, key }) => `import axios from 'axios'

const api = axios.create({
  baseURL: '${apps}',
  headers: { authorization: ${toLiteral(`Bearer ${key}`)} },
})
console.log((await api.get('/apps')).data)`,
  },
  {
    id: 'msw',
    title: 'MSW',
    needs: ['plants', 'apps'],
    toText: ({ bareKey, world }) => `import { setupServer } from 'msw/node'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'

const greenhouse = createGreenhouse({ seed: 1 })
const server = setupServer(
  ...createHandlers(greenhouse, { plants: 'https://plants.example.com', apps: 'https://api.example.com/v1' }),
)
server.listen()

const world = greenhouse.world(${toLiteral(world)})
const response = await fetch('https://api.example.com/v1/apps', {
  headers: { authorization: \`Bearer \${world.key(${toLiteral(bareKey)})}\` },
})
console.log(response.status)
server.close()`,
  },
  {
    id: 'vitest',
    title: 'Vitest',
    needs: ['plants'],
    toText: ({ bareKey }) => `import { test } from 'greenhouse-mock/vitest'

test('lists plants', async ({ api, world, expect }) => {
  const response = await fetch(\`\${api.plantsUrl}/plants\`, { headers: { authorization: ${toLiteral(`Bearer ${bareKey}`)} } })
  expect(response.status).toBe(200)
  expect(world.journal.calls({ operation: 'plants.list' })).toHaveLength(1)
})`,
  },
  {
    id: 'playwright',
    title: 'Playwright',
    needs: ['plants'],
    toText: ({ bareKey }) => `import { test, expect } from 'greenhouse-mock/playwright'

test('lists plants', async ({ world, api, request }) => {
  const response = await request.get(\`\${api.plantsUrl}/plants\`, {
    headers: { authorization: ${toLiteral(`Bearer ${bareKey}`)} },
  })
  expect(response.status()).toBe(200)
  expect(world).toHaveNoViolations()
})`,
  },
]
