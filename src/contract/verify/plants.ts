import type { VerifyCall } from './client.ts'
import type { Session } from './session.ts'
import { Inconclusive, mayBePage, member, type ServerReply } from './wire.ts'

interface MadePlant {
  readonly id: number | bigint
  readonly name: string
  readonly reply: ServerReply
}

export const limitNames = ['limit', 'max', 'count', 'per_page'] as const

/** Limits to try: larger than any list, and common maxima. */
const largest = ['2147483647', '100', '50'] as const

export async function postPlant(
  session: Session,
  body: unknown,
  call: VerifyCall = {},
  sent = body,
): Promise<ServerReply> {
  const { id, name } = readPlant(body)
  if (id !== undefined) {
    const removal = { key: call.key ?? undefined, cleansUp: true }
    session.cleanUpLater(nameOf(id), () => removePlant(session, encodeURIComponent(id), removal))
    session.plants.set(id, name)
  }
  const reply = await session.client.call('plants', 'POST', '/plants', { ...call, body: sent })
  if (id !== undefined && reply.status >= 400 && reply.status < 500) session.forget(nameOf(id))
  return reply
}

export async function makePlant(
  session: Session,
  fields: { readonly id?: number | bigint; readonly tag?: string } = {},
  key?: string,
): Promise<MadePlant> {
  const id = fields.id ?? session.newId()
  const name = session.newName()
  const reply = await postPlant(session, { ...fields, id, name }, { key })
  if (!reply.isSuccess) throw new Inconclusive(`no plant can be created: ${reply}`)
  return { id, name, reply }
}

export async function removePlant(
  session: Session,
  id: number | bigint | string,
  call: VerifyCall = {},
): Promise<ServerReply> {
  const reply = await session.client.call('plants', 'DELETE', `/plants/${id}`, call)
  if (reply.isSuccess) session.deleted.add(session.plants.get(String(id)))
  return reply
}

export async function deleteMade(session: Session, { id }: Pick<MadePlant, 'id'>): Promise<ServerReply> {
  const reply = await removePlant(session, id)
  if (reply.isSuccess) session.forget(nameOf(id))
  return reply
}

export function fetchPlants(session: Session, call: VerifyCall = {}): Promise<ServerReply> {
  return session.client.call('plants', 'GET', '/plants', call)
}

export function plantsOf(reply: ServerReply): readonly unknown[] {
  if (reply.isSuccess && Array.isArray(reply.json)) return reply.json
  throw new Inconclusive(`${reply}, but not with a list`)
}

export function namesOf(reply: ServerReply): readonly unknown[] {
  return plantsOf(reply).map((plant) => member(plant, 'name'))
}

export async function listAll(session: Session, call: VerifyCall = {}): Promise<ServerReply> {
  // After a stop, only a parameter that is known already is used.
  const name = call.cleansUp
    ? session.learned.get('plants.list.limit-name')
    : await findLimitName(session).catch(() => undefined)
  if (name === undefined) return fetchPlants(session, call)
  for (const cap of session.wholeList === undefined ? largest : [session.wholeList]) {
    const reply = await fetchPlants(session, { ...call, query: `${name}=${cap}` })
    if (reply.status === 400 || reply.status === 422) continue
    if (reply.isSuccess) session.wholeList = cap
    return reply
  }
  return fetchPlants(session, call)
}

const minToShowCap = 4

export async function fillUp(session: Session): Promise<ServerReply> {
  const reply = await fetchPlants(session)
  const present = plantsOf(reply).length
  if (present >= minToShowCap) return reply
  const lack = session.lacks(['writes'])
  if (lack !== undefined)
    throw new Inconclusive(
      `${present} ${present === 1 ? 'plant is' : 'plants are'} listed, which is too few; to create more, ${lack}`,
    )
  for (let more = present; more < minToShowCap; more++) await makePlant(session)
  return session.until(
    () => fetchPlants(session),
    (one) => plantsOf(one).length >= minToShowCap,
  )
}

export function findLimitName(session: Session): Promise<string | undefined> {
  return session.once('limit name', async () => {
    const { length } = plantsOf(await fillUp(session))
    if (length < minToShowCap)
      throw new Inconclusive(`${length} plants are listed, although ${minToShowCap} were created`)
    for (const name of limitNames) {
      const reply = await fetchPlants(session, { query: `${name}=1` })
      if (reply.isSuccess && Array.isArray(reply.json) && reply.json.length < length) {
        session.learned.set('plants.list.limit-name', name)
        return name
      }
    }
    return undefined
  })
}

function nameOf(id: number | bigint | string): string {
  return `the plant ${id}`
}

/** Reads what was sent: a server may accept text that is not JSON, or a list of one plant. */
function readPlant(body: unknown): { readonly id: string | undefined; readonly name: unknown } {
  if (typeof body === 'string') return { id: /"id":(-?\d+)/.exec(body)?.[1], name: /"name":"([^"]*)/.exec(body)?.[1] }
  const plant: unknown = Array.isArray(body) ? body[0] : body
  const id = member(plant, 'id')
  return { id: id === undefined ? undefined : String(id), name: member(plant, 'name') }
}

type Names = readonly unknown[]

export async function poll(
  session: Session,
  isShown: (names: Names) => boolean,
  call: VerifyCall = {},
  within?: number,
): Promise<{ readonly isShown: boolean; readonly names: Names; readonly reply: ServerReply }> {
  const reply = await session.until(
    () => listAll(session, call),
    (one) => isShown(namesOf(one)),
    within,
  )
  const names = namesOf(reply)
  return { isShown: isShown(names), names, reply }
}

export async function isListed(session: Session, name: string, call?: VerifyCall): Promise<boolean> {
  return (await poll(session, (names) => names.includes(name), call)).isShown
}

export async function isPlantGone(session: Session, name: string): Promise<boolean> {
  return (await poll(session, (names) => !names.includes(name))).isShown
}

/**
 * Looks for plants in the list before a probe concludes anything from their absence. Returns why they are not listed; `undefined`
 * if they are. After a failure, later searches do not wait.
 */
export async function whyInconclusive(
  session: Session,
  wanted: readonly string[],
  call?: VerifyCall,
): Promise<string | undefined> {
  const isShown = (names: Names) => wanted.every((name) => names.includes(name))
  const seen = await poll(session, isShown, call, session.isBlind ? 0 : undefined)
  if (seen.isShown) return undefined
  session.isBlind = true
  const what = wanted.length === 1 ? 'the plant is' : 'the plants are'
  return (
    whyDoubtful(seen.reply) ?? `${what} not in the list within ${session.readLag / 1_000} s. Allow more with --read-lag`
  )
}

/** @throws Inconclusive if a plant is not listed */
export async function assertListed(session: Session, wanted: readonly string[], call?: VerifyCall): Promise<void> {
  const inconclusive = await whyInconclusive(session, wanted, call)
  if (inconclusive !== undefined) throw new Inconclusive(inconclusive)
}

/** @throws Broken if a plant that was rejected is listed */
export async function assertNotMade(session: Session, name: string, reply: ServerReply): Promise<void> {
  await settle(session)
  const isMade = namesOf(await listAll(session)).includes(name)
  reply.assert(!isMade, ', and the plant is listed')
}

export function whyDoubtful(reply: ServerReply): string | undefined {
  const { length } = plantsOf(reply)
  if (namesOf(reply).some((name) => typeof name !== 'string')) return 'the list has plants without a name'
  return mayBePage(length) ? `the list has ${length} plants, which may be one page of them` : undefined
}

export async function settle(session: Session): Promise<void> {
  await session.once('lag', () => measure(session))
  if (session.lag > 0) await session.options.wait(session.lag)
}

async function measure(session: Session): Promise<void> {
  if (session.lacks(['writes']) !== undefined) return
  try {
    const { name } = await makePlant(session)
    await whyInconclusive(session, [name])
  } catch (error) {
    // The rules report that.
    if (!(error instanceof Inconclusive)) throw error
  }
}
