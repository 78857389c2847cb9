import { keyIn } from '../../core/http/client-url.ts'
import type { Action } from '../components/actions.ts'
import { copyWithToast, toast, toPlural } from '../components/index.ts'
import { changeAssumptions } from '../data/assume.ts'
import { nameOfChoice, toChoiceText } from '../data/choice.ts'
import { readEventTypes } from '../data/listed-names.ts'
import type { Panel } from '../data/panel.ts'
import type { ScenarioSummary } from '../data/shapes.ts'
import { restoreSnapshot } from './go-back.ts'
import { goToWorld } from './go-to-world.ts'
import { toFilePlace } from './problems.tsx'
import { switchOffAt, switchOn } from './switch.ts'

export async function readFurtherActions(panel: Panel): Promise<Action[]> {
  const [scenarios, problems, keys, assumptions, events] = await Promise.all([
    scenarioActions(panel),
    problemActions(panel),
    keyActions(panel),
    assumptionActions(panel),
    eventActions(panel),
  ])
  return [
    ...activeActions(panel),
    ...worldActions(panel),
    ...snapshotActions(panel),
    ...keys,
    ...scenarios,
    ...problems,
    ...events,
    ...assumptions,
  ]
}

async function eventActions({ api, world, router }: Panel): Promise<Action[]> {
  return (await readEventTypes(api)).map((type) => ({
    id: `trigger:${type}`,
    title: `Trigger ${type}`,
    keywords: 'event webhook send',
    run: async () => {
      const [first, ...others] = await api.trigger(world.name.peek(), { type })
      if (!first) return toast({ text: `${type} went nowhere: no enabled endpoint subscribes to it`, kind: 'failed' })
      toast({ text: `${type} goes to ${toPlural(others.length + 1, 'endpoint')}` })
      router.go({ view: 'webhooks', rest: ['deliveries', first.id] })
    },
  }))
}

async function scenarioActions(panel: Panel): Promise<Action[]> {
  const { api, world } = panel
  const isActive = new Set(world.active.peek().map(nameOfChoice))
  return (await api.scenarios())
    .filter((scenario) => !isActive.has(scenario.name))
    .map((scenario) => ({
      id: `use:${scenario.name}`,
      title: `Use ${scenario.name}`,
      keywords: `switch on scenario ${toWords(scenario)}`,
      run: () => switchOn(panel, scenario.name),
    }))
}

async function problemActions({ api, router }: Panel): Promise<Action[]> {
  return (await api.problems()).data.map((problem) => ({
    id: `problem:${toFilePlace(problem)} ${problem.message}`,
    title: `Problem in ${toFilePlace(problem)}: ${problem.message}`,
    keywords: 'broken file scenario fixture error',
    run: () => router.go({ view: 'overview' }),
  }))
}

function activeActions(panel: Panel): Action[] {
  return panel.world.active.peek().map((choice, place) => {
    const text = toChoiceText(choice)
    return {
      id: `off:${text}`,
      title: `Switch off ${text}`,
      keywords: 'scenario stop',
      run: () => switchOffAt(panel, place, choice),
    }
  })
}

function toWords({ title, tags, description, covers, options }: ScenarioSummary): string {
  const ofOptions = Object.entries(options).flatMap(([option, { description: meaning = '', values = [] }]) => [
    option,
    meaning,
    ...values,
  ])
  return [title, ...tags, description, covers, ...ofOptions].join(' ')
}

function snapshotActions(panel: Panel): Action[] {
  return panel.world.snapshots.peek().map((name) => ({
    id: `snapshots:restore:${name}`,
    title: `Restore the snapshot ${name}`,
    keywords: 'back data state',
    run: () => restoreSnapshot(panel, name),
  }))
}

function worldActions(panel: Panel): Action[] {
  const { world } = panel
  return world.worlds
    .peek()
    .filter((name) => name !== world.name.peek())
    .map((name) => ({
      id: `world:${name}`,
      title: `Go to the world ${name}`,
      keywords: 'switch',
      run: () => goToWorld(panel, name),
    }))
}

async function keyActions({ api, world }: Panel): Promise<Action[]> {
  const name = world.name.peek()
  const { keys } = await api.start()
  return Object.keys(keys).map((key) => {
    const whole = keyIn(name, key)
    return {
      id: `copy:${key}`,
      title: `Copy ${whole}`,
      keywords: 'key token bearer',
      run: () => copyWithToast(whole, whole),
    }
  })
}

async function assumptionActions({ api, world, router }: Panel): Promise<Action[]> {
  const name = world.name.peek()
  const [all, now] = await Promise.all([api.assumptions(), api.worldAssumptions(name)])
  return all.flatMap(({ id, question, values }) =>
    values
      .filter((value) => value !== now[id])
      .map((value) => ({
        id: `assume:${id}:${value}`,
        title: `Assume ${id} is ${value}`,
        keywords: `switch assumption ${value === values[0] ? 'default reset' : ''} ${question}`,
        run: async () => {
          const { undo } = await changeAssumptions(api, name, { [id]: value })
          router.go({ view: 'assumptions', rest: [id] })
          toast({ text: `${id} is ${value}`, undo })
        },
      })),
  )
}
