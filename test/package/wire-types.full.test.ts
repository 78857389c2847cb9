import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPacked, root, type Project } from './packed.ts'

const client = `
import type { AppChanges, AppErrorReply, AppReply, ListReply, MessageDelta, NewApp, NewPlant, NewPurchase, NewWebhook, PlantReply, WebhookEvent } from 'greenhouse-mock/types'

const app: NewApp = { name: 'helper', display_name: null, login_required: true }
const change: AppChanges = { welcome_message: 'Hello' }
const plant: NewPlant = { id: 10n, name: 'Ficus' }
const hook: NewWebhook = { url: 'https://hooks.example.com', events: ['app.created', 'message.sent'] }
const purchase: NewPurchase = { amount: 100, payment_method: 'pm_ok' }
declare const list: ListReply<AppReply>
declare const refused: AppErrorReply
declare const delta: MessageDelta
declare const shown: PlantReply
declare const event: WebhookEvent
export const names: string[] = list.data.map(({ name }) => name)
export const tag: string | undefined = shown.tag
export const word: string = delta.delta.content
export function tell(): string {
  if (refused.error.code === 'rate_limit_exceeded') return refused.error.request_id
  switch (event.type) {
    case 'message.sent':
      return event.data.conversation.last_message
    case 'plant.created':
      return event.data.name
    default:
      return event.timestamp
  }
}
export { app, change, plant, hook, purchase }

// @ts-expect-error -- the name is required
export const nameless: NewApp = { display_name: 'Helper' }
// @ts-expect-error -- there is no such event
export const wrongEvent: NewWebhook = { url: 'https://hooks.example.com', events: ['app.create'] }
// @ts-expect-error -- there is no such field
export const wrongField: NewPlant = { id: 1, name: 'Ficus', colour: 'green' }
// @ts-expect-error -- a plant shows no id
export const id = shown.id
// The reference leaves the list of codes open.
export const isLost = refused.error.code === 'lost'
`

let project: Project

beforeAll(() => {
  // Nothing else is installed: no types of Node, no msw, no zod.
  project = installPacked()
  project.write('client.mts', client)
  project.write('client.cts', client)
})

afterAll(() => project.remove())

test.each([
  { moduleResolution: 'bundler', module: 'esnext', files: ['client.mts'] },
  { moduleResolution: 'nodenext', module: 'nodenext', files: ['client.mts', 'client.cts'] },
])('custom clients can use the types of requests, replies and events with $moduleResolution', (options) => {
  const { files, ...resolution } = options
  const compilerOptions = { ...resolution, target: 'es2022', lib: ['es2022'], types: [], strict: true, noEmit: true }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  let said = ''
  try {
    project.run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  } catch (error) {
    said = (error as { stdout: string }).stdout
  }
  expect(said).toBe('')
})

test('imported as if it were code, it is an empty module', () => {
  expect(
    project.run(
      process.execPath,
      '--input-type=module',
      '-e',
      `console.log({ ...(await import('greenhouse-mock/types')) })`,
    ),
  ).toBe('{}\n')
})
