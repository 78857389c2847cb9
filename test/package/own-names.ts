// TypeScript reads the names of scenarios and collections from options in code. The types are
// checked here from the source, and by own-names.full.test.ts from the packed package.
import * as z from 'zod'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { defineCollection, definePlugin, parseScenarios } from 'greenhouse-mock/config'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createWithWorld } from 'greenhouse-mock/testing'
import { createTest } from 'greenhouse-mock/vitest'

const waterings = defineCollection({
  name: 'waterings',
  schema: z.object({ id: z.string(), liters: z.number() }),
})
const drought = {
  title: 'No water',
  description: 'Plants are not watered.',
  covers: 'what a page shows then',
  options: { plan: { description: 'Whose', values: ['free', 'pro'], default: 'free' } },
  respond: [{ on: 'plants.list', status: 503 }],
}

const greenhouse = createGreenhouse({
  scenarios: { drought, ...parseScenarios({ flood: 'title: Flood' }) },
  collections: [waterings],
  use: ['drought', 'slow', 'drought:plan=pro', { name: 'drought', plan: 'pro' }],
})
const world = greenhouse.world()

world.use('drought')
world.use('drought', { plan: 'pro', on: 'plants.*' })
world.use('drought:plan=pro')
world.use({ name: 'drought', plan: 'pro' })
world.use('flood', { depth: 3 })
world.use('slow', { ms: 3 })
world.useOnly(['drought', 'slow'])
world.clear('drought')
world.reset({ scenarios: ['flood'], records: { waterings: [{ id: 'a', liters: 2 }] } })
export const liters: number = world.records.waterings.get('a')!.liters
export const names: string[] = world.records.plants.all().map(({ name }) => name)
// @ts-expect-error -- there is no such scenario
world.use('drougth')
// @ts-expect-error -- there is no such option
world.use('drought', { plam: 'pro' })
// @ts-expect-error -- there is no such option of a bundled scenario
world.use('slow', { plam: 'pro' })
// @ts-expect-error -- there is no such collection
world.records.wateringz.all()
// @ts-expect-error -- liters are a number
world.records.waterings.create({ id: 'a', liters: '2' })

// @ts-expect-error -- there is no such scenario
createGreenhouse({ scenarios: { drought }, use: ['drougth'] })
// @ts-expect-error -- there is no such option
createGreenhouse({ scenarios: { drought }, sed: 1 })
// @ts-expect-error -- a text is parsed first
createGreenhouse({ scenarios: { flood: 'title: Flood' } })

const loaded: Record<string, object> = {}
// @ts-expect-error -- TypeScript reads no folder: these names are declared
createGreenhouse({ scenarios: loaded }).world().use('drought')

const shop = definePlugin({ name: 'shop', collections: [waterings], scenarios: { drought } })
const weather = definePlugin({ name: 'weather', scenarios: { flood: drought } })
const plugged = createGreenhouse({ plugins: [shop, weather], use: ['drought', 'flood'] }).world()
plugged.use('flood', { plan: 'pro' })
plugged.records.waterings.all()
// @ts-expect-error -- neither has such a scenario
plugged.use('drougth')

createTest({ scenarios: { drought }, collections: [waterings] })('', ({ world, greenhouse }) => {
  world.use('drought')
  world.records.waterings.all()
  greenhouse.world('another').use('drought')
  // @ts-expect-error -- there is no such scenario
  world.use('drougth')
})

createWithWorld({ plugins: [shop] })(({ world }) => {
  world.use('drought')
  world.records.waterings.all()
  // @ts-expect-error -- there is no such scenario
  world.use('drougth')
})

// A function that takes any world or Greenhouse takes these.
const anyWorld: World = world
const anyGreenhouse: Greenhouse = greenhouse
anyWorld.use('slow')
createHandlers(greenhouse)
export const server = serve(anyGreenhouse)

const options: GreenhouseOptions = { seed: 1, use: ['slow'] }
export const made: Greenhouse[] = [
  createGreenhouse(),
  createGreenhouse(options),
  createGreenhouse({ ...options, scenarios: { drought } }),
]
