import { integerFormats } from '../../core/contract/json-schema.ts'
import { countOf } from '../../core/text/messages.ts'
import { greatestLimit } from '../../core/pipeline/list-query.ts'
import {
  assertConclusive,
  assertSeen,
  InconclusiveError,
  mayBePage,
  member,
  type ServerReply,
  valuesOfAssumption,
} from './wire.ts'
import type { Session, VerifyCall } from './session.ts'

type PlantNames = readonly unknown[]

/** Limits to try: larger than any list, and common maxima. */
const largest = [String(integerFormats.int32[1]), '100', '50']

const minToShowCap = 4

const cleaning = { cleansUp: true } as const

/** The plants of a run. Lists may lag behind, and show plants without their ids. */
export class Plants {
  readonly #session: Session
  /** Names of created plants by id, and of those whose deletion succeeded. */
  readonly #names = new Map<string, unknown>()
  readonly #deleted = new Set<unknown>()
  #wholeList: string | undefined
  #isBlind = false

  constructor(session: Session) {
    this.#session = session
  }

  new(): {
    readonly id: number
    readonly name: string
  } {
    return {
      id: this.#session.newId(),
      name: this.#session.newName(),
    }
  }

  async post(body: unknown, call: VerifyCall = {}, sent = body): Promise<ServerReply> {
    const { id, name } = readPlant(body)
    if (id !== undefined) {
      const removal = {
        key: call.key ?? undefined,
        cleansUp: true,
      }
      this.#session.cleanUpLater(namePlant(id), () => this.remove(encodeURIComponent(id), removal))
      this.#names.set(id, name)
    }
    const reply = await this.#session.call('POST', '/plants', {
      ...call,
      body: sent,
    })
    if (id !== undefined && reply.status >= 400 && reply.status < 500) this.forget(id)
    return reply
  }

  async make(
    fields: {
      readonly id?: number
      readonly tag?: string
    } = {},
    key?: string,
  ) {
    const plant = { ...this.new(), ...fields }
    const reply = await this.post(plant, { key })
    assertSeen(reply.isSuccess, `no plant can be created: ${reply}`)
    return {
      id: plant.id,
      name: plant.name,
      reply,
    }
  }

  async remove(id: number | bigint | string, call: VerifyCall = {}): Promise<ServerReply> {
    const reply = await this.#session.call('DELETE', `/plants/${id}`, call)
    if (reply.isSuccess) this.#deleted.add(this.#names.get(String(id)))
    return reply
  }

  async removeMade({ id }: { readonly id: number | bigint }): Promise<ServerReply> {
    const reply = await this.remove(id)
    if (reply.isSuccess) this.forget(id)
    return reply
  }

  forget(id: number | bigint | string): void {
    this.#session.forget(namePlant(id))
  }

  fetch(call: VerifyCall = {}): Promise<ServerReply> {
    return this.#session.call('GET', '/plants', call)
  }

  async all(call: VerifyCall = {}): Promise<ServerReply> {
    // After a stop, only a parameter that is known already is used.
    const name = call.cleansUp
      ? this.#session.learned.get('plants.list.limit-name')
      : await this.limitName().catch(() => undefined)
    if (name === undefined) return this.fetch(call)
    for (const cap of this.#wholeList === undefined ? largest : [this.#wholeList]) {
      const reply = await this.fetch({
        ...call,
        query: `${name}=${cap}`,
      })
      if (reply.status === 400 || reply.status === 422) continue
      if (reply.isSuccess) this.#wholeList = cap
      return reply
    }
    return this.fetch(call)
  }

  /** Creates plants until the list has as many, and returns how many it has. */
  async fillUp(least = minToShowCap): Promise<number> {
    const count = async () => plantsOf(await this.fetch()).length
    const present = await count()
    if (present >= least) return present
    const lack = this.#session.whyUnable(['writes'])
    const few = `${countOf(present, 'plant')} in the list, which is too few; to create more, ${lack}`
    assertSeen(lack === undefined, few)
    for (let more = present; more < least; more++) await this.make()
    return this.#session.poll(count, (listed) => listed >= least)
  }

  limitName(): Promise<string | undefined> {
    return this.#session.remember('limit name', async () => {
      const length = await this.fillUp()
      assertSeen(
        length >= minToShowCap,
        `${length} plants are listed, although ${minToShowCap} were created`,
      )
      for (const name of valuesOfAssumption('plants.list.limit-name')) {
        const { isSuccess, json } = await this.fetch({ query: `${name}=1` })
        if (!isSuccess || !Array.isArray(json) || json.length >= length) continue
        this.#session.learned.set('plants.list.limit-name', name)
        return name
      }
      return undefined
    })
  }

  async poll(isShown: (names: PlantNames) => boolean, call: VerifyCall = {}, within?: number) {
    const reply = await this.#session.poll(
      () => this.all(call),
      (one) => isShown(plantNamesOf(one)),
      within,
    )
    const names = plantNamesOf(reply)
    return {
      isShown: isShown(names),
      names,
      reply,
    }
  }

  async isListed(name: string, call?: VerifyCall): Promise<boolean> {
    return (await this.poll((names) => names.includes(name), call)).isShown
  }

  async isGone(name: string): Promise<boolean> {
    return (await this.poll((names) => !names.includes(name))).isShown
  }

  /**
   * Why plants are not in the list, before a probe concludes anything from that. After a failure it
   * does not wait.
   */
  async whyInconclusive(wanted: readonly string[], call?: VerifyCall): Promise<string | undefined> {
    const isShown = (names: PlantNames) => wanted.every((name) => names.includes(name))
    const seen = await this.poll(isShown, call, this.#isBlind ? 0 : undefined)
    if (seen.isShown) return undefined
    this.#isBlind = true
    const what = wanted.length === 1 ? 'the plant is' : 'the plants are'
    const within = `within ${this.#session.readLag / 1_000} s`
    return (
      whyDoubtful(seen.reply) ?? `${what} not in the list ${within}. Allow more with --read-lag`
    )
  }

  async assertListed(wanted: readonly string[], call?: VerifyCall): Promise<void> {
    assertConclusive(await this.whyInconclusive(wanted, call))
  }

  async assertNotMade(name: string, reply: ServerReply): Promise<void> {
    await this.settle()
    const isMade = plantNamesOf(await this.all()).includes(name)
    reply.assert(!isMade, ', and the plant is listed')
  }

  async settle(): Promise<void> {
    await this.#session.remember('lag', () => this.#measureLag())
    if (this.#session.lag > 0) await this.#session.options.wait(this.#session.lag)
  }

  async #measureLag() {
    if (this.#session.whyUnable(['writes']) !== undefined) return
    try {
      const { name } = await this.make()
      await this.whyInconclusive([name])
    } catch (error) {
      // The rules report that.
      if (!(error instanceof InconclusiveError)) throw error
    }
  }

  /**
   * Deletes plants that the server stored under another id. Returns those that are left. @param
   * left what is already reported
   */
  async sweep(left: readonly string[]): Promise<string[]> {
    const { options, isLost } = this.#session
    if (!options.allowWrites || options.targets.plants === undefined || isLost) return []
    const known = left.filter((one) => one.startsWith(namePlant(''))).length
    try {
      for (const plant of await this.#own()) {
        const id = member(plant, 'id')
        if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint')
          await this.remove(encodeURIComponent(String(id)), cleaning)
      }
      const listed = await this.#session.poll(
        () => this.#own(),
        ({ length }) => length <= known,
      )
      // A list that lags still has deleted plants.
      const names = listed
        .map((plant) => member(plant, 'name'))
        .filter((name) => !this.#isBlind || !this.#deleted.has(name))
      return names.slice(known).map((name) => {
        const id = [...this.#names].find(([, made]) => made === name)?.[0]
        return `${namePlant(`"${String(name)}"`)}${id === undefined ? '' : `, sent with the id ${id}`}`
      })
    } catch (error) {
      if (error instanceof InconclusiveError) return []
      throw error
    }
  }

  async #own(): Promise<readonly unknown[]> {
    const plants = plantsOf(await this.all(cleaning))
    return plants.filter((plant) => this.#session.isOwnName(member(plant, 'name')))
  }
}

function namePlant(id: number | bigint | string): string {
  return `the plant ${id}`
}

/** Reads what was sent: a server may accept text that is not JSON, or a list of one plant. */
function readPlant(body: unknown): {
  readonly id: string | undefined
  readonly name: unknown
} {
  if (typeof body === 'string')
    return {
      id: /"id":(-?\d+)/.exec(body)?.[1],
      name: /"name":"([^"]*)/.exec(body)?.[1],
    }
  const plant: unknown = Array.isArray(body) ? body[0] : body
  const id = member(plant, 'id')
  return {
    id: id === undefined ? undefined : String(id),
    name: member(plant, 'name'),
  }
}

export function plantsOf(reply: ServerReply): readonly unknown[] {
  if (reply.isSuccess && Array.isArray(reply.json)) return reply.json
  throw new InconclusiveError(`${reply}, but not with a list`)
}

export function plantNamesOf(reply: ServerReply): readonly unknown[] {
  return plantsOf(reply).map((plant) => member(plant, 'name'))
}

export function whyDoubtful(reply: ServerReply): string | undefined {
  const { length } = plantsOf(reply)
  if (plantNamesOf(reply).some((name) => typeof name !== 'string'))
    return 'the list has plants without a name'
  if (mayBePage(length)) return `the list has ${length} plants, which may be one page of them`
  return undefined
}

const maxPages = 20

export class Apps {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async post(path: string, body: unknown, call: VerifyCall = {}): Promise<ServerReply> {
    const reply = await this.#session.call('POST', path, { ...call, body })
    const id = member(reply.json, 'id')
    if (reply.isSuccess && typeof id === 'string') {
      const made = `${path}/${encodeURIComponent(id)}`
      const removal = {
        key: call.key,
        cleansUp: true,
      }
      this.#session.cleanUpLater(made, () => this.#session.call('DELETE', made, removal))
    }
    return reply
  }

  /** Sends an app that is not the first one: a server that takes no app at all proves nothing. */
  async postNext(body: unknown, call?: VerifyCall): Promise<ServerReply> {
    await this.first()
    return this.post('/apps', body, call)
  }

  async make(path: string, body: unknown, call?: VerifyCall) {
    const reply = await this.post(path, body, call)
    const id = member(reply.json, 'id')
    if (!reply.isSuccess || typeof id !== 'string')
      throw new InconclusiveError(`nothing can be created: ${reply}`)
    return {
      id,
      path: `${path}/${encodeURIComponent(id)}`,
      reply,
    }
  }

  makeApp(call?: VerifyCall) {
    return this.make('/apps', { name: this.#session.newName() }, call)
  }

  first() {
    return this.#session.remember('app', () => this.makeApp())
  }

  fetch(call: VerifyCall = {}): Promise<ServerReply> {
    return this.#session.call('GET', '/apps', call)
  }

  fetchNone(): Promise<ServerReply> {
    return this.#session.call('GET', '/apps/app_greenhouseverify')
  }

  /**
   * Returns the ids of all apps, the reply that completed them, and whether there may be more.
   * @throws InconclusiveError if it is not a list.
   */
  async all(call: VerifyCall = {}) {
    const ids: unknown[] = []
    let query = `limit=${greatestLimit}`
    for (let page = 0; ; page++) {
      const reply = await this.fetch({ ...call, query })
      assertSeen(reply.isSuccess && reply.items !== undefined, String(reply))
      ids.push(...reply.items.map((item) => member(item, 'id')))
      const cursor = member(reply.json, 'next_cursor')
      if (typeof cursor !== 'string')
        return {
          ids,
          reply,
          mayHaveMore: page === 0 && mayBePage(ids.length),
        }
      if (page === maxPages)
        return {
          ids,
          reply,
          mayHaveMore: true,
        }
      query = `limit=${greatestLimit}&cursor=${encodeURIComponent(cursor)}`
    }
  }
}
