import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createGreenhouse } from 'greenhouse-mock'
import { UnsupportedFaultError } from '../../src/core/world/effective-settings.ts'
import type { Adapter } from '../support/adapters.ts'
import { start } from '../support/test-api.ts'
import { observeSituation, type Observed } from './observe.ts'
import { toScenario, type Situation } from './situations.ts'

/** Observes each situation through an adapter of this process. MSW intercepts the whole process, so there they run one by one. */
export async function observeThrough(adapter: Adapter, situations: readonly Situation[]): Promise<Observed[]> {
  if (adapter.name !== 'msw') return Promise.all(situations.map((situation) => observeOne(adapter, situation)))
  const observed: Observed[] = []
  for (const situation of situations) observed.push(await observeOne(adapter, situation))
  return observed
}

async function observeOne(adapter: Adapter, situation: Situation): Promise<Observed> {
  // HttpResponse.error() ends a process in which @mswjs/http-middleware carries it, and so does a body that breaks off.
  if (adapter.name === 'http-middleware' && ['network-error', 'stream, fails: break'].includes(situation.name))
    return endOfProcess(situation)
  const proxy = await adapter.openTarget?.()
  const greenhouse = createGreenhouse({ now: start, scenarios: { situation: toScenario(situation) }, proxy })
  const { send, close } = await adapter.open(greenhouse)
  try {
    return await observeSituation(send, greenhouse.world(), situation, start)
  } catch (error) {
    if (!(error instanceof UnsupportedFaultError)) throw error
    return 'refused when switched on'
  } finally {
    await close()
  }
}

/** Runs an Express app with our handlers in a process of its own and sees one request end that. */
async function endOfProcess(situation: Situation): Promise<Observed> {
  const app = `
    import { createMiddleware } from '@mswjs/http-middleware'
    import express from 'express'
    import { createGreenhouse } from 'greenhouse-mock'
    import { createHandlers } from 'greenhouse-mock/msw'
    const greenhouse = createGreenhouse({ scenarios: { situation: ${JSON.stringify(toScenario(situation))} }, use: ['situation'] })
    const server = express().use(createMiddleware(...createHandlers(greenhouse))).listen(0, '127.0.0.1', async () => {
      await greenhouse.world().records.conversations.create({ id: 'conv_streamed', account: 'acct_pro', app: 'app_w33c4cwmhfyfktiv', user: null, platform: 'web', created_at: 0 })
      const { method = 'GET', path = '/plants', body } = ${JSON.stringify(situation)}
      const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
      await fetch('http://127.0.0.1:' + server.address().port + path, { method, headers, body }).then((response) => response.text()).catch(() => undefined)
      process.exit(7)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', app], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 1 && /status|broke off/i.test(stderr)) return 'ends the process'
  throw new Error(`The app ended with ${code}, which it should not have:\n${stderr}`)
}
