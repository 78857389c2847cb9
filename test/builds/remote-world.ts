import type { World } from 'greenhouse-mock'
import { controlAll } from './all.ts'
import type { Build } from './builds.ts'

/** A world of all builds at once, as far as test/coverage and test/malformations use one. */
export interface RemoteWorld {
  /** Reads from the source's, which the others are equal to, and notes what is to change. */
  readonly world: World
  /** Changes in all builds what was noted, through the control API. */
  flush(): Promise<void>
}

type Change = readonly [method: string, path: string, body: unknown]

const verbs = { create: 'POST', replace: 'PUT', update: 'PATCH' } as const

export function createRemoteWorld(builds: readonly Build[], source: World): RemoteWorld {
  let changes: Change[] = []
  const note = (...change: Change) => void changes.push(change)
  const ofCollection = (name: string, collection: object) =>
    new Proxy(collection, {
      get(target, member: string) {
        if (['all', 'get'].includes(member)) return Reflect.get(target, member).bind(target)
        const verb = verbs[member as keyof typeof verbs]
        if (!verb) throw new RangeError(`A world of all builds knows no records.${name}.${member}().`)
        return (...given: unknown[]) =>
          note(verb, `/records/${name}${verb === 'PATCH' ? `/${String(given[0])}` : ''}`, given.at(-1))
      },
    })
  const world = {
    clock: source.clock,
    records: new Proxy(source.records, {
      get: (records, name: string) => ofCollection(name, Reflect.get(records, name)),
    }),
    use: (name: string, options: object = {}) => note('PUT', '/scenarios', { active: [{ name, ...options }] }),
    assume: (id: string, value: string) => note('PATCH', '/assumptions', { [id]: value }),
  }
  return {
    world: world as never,
    async flush() {
      const due = changes
      changes = []
      for (const change of due) await controlAll(builds, ...change)
    },
  }
}
