import type { Call } from './client.ts'
import type { Session } from './session.ts'
import { Unseen, tell } from './verdict.ts'
import { isSuccess, member, type Reply } from './wire.ts'

/** A plant that the run has made. */
export interface MadePlant {
  readonly id: number | bigint
  readonly name: string
  readonly reply: Reply
}

/** The names that the parameter which caps the list may have. */
export const limitNames = ['limit', 'max', 'count', 'per_page'] as const

/** More than anybody has, and what servers with a maximum take. */
const largest = ['2147483647', '100', '50'] as const

/**
 * Sends NewPlant, or what is to be refused in its place; where it may have been made it is taken away at the end.
 * @param sent how the body leaves, where that is not JSON.
 */
export async function postPlant(
  session: Session,
  body: unknown,
  call: Call = {},
  sent: unknown = toBody(body),
): Promise<Reply> {
  const id = idOf(body)
  const key = call.key ?? undefined
  const remove = () => removePlant(session, id!, { ...(key !== undefined && { key }), cleansUp: true })
  if (id !== undefined) {
    session.remember(nameOf(id), remove)
    session.plants.set(String(id), member(body, 'name'))
  }
  const reply = await session.client.call('plants', 'POST', '/plants', { ...call, body: sent })
  if (id !== undefined && reply.status >= 400 && reply.status < 500) session.forget(nameOf(id))
  return reply
}

/** Makes a plant of its own. @throws Unseen when that does not work. */
export async function makePlant(
  session: Session,
  fields: { readonly id?: number | bigint; readonly tag?: string } = {},
  key?: string,
): Promise<MadePlant> {
  const id = fields.id ?? session.newId()
  const name = session.newName()
  const reply = await postPlant(session, { ...fields, id, name }, key === undefined ? {} : { key })
  if (!isSuccess(reply)) throw new Unseen(`no plant can be created: ${tell(reply)}`)
  return { id, name, reply }
}

/** Deletes a plant. */
export async function removePlant(session: Session, id: number | bigint | string, call: Call = {}): Promise<Reply> {
  const reply = await session.client.call('plants', 'DELETE', `/plants/${id}`, call)
  if (isSuccess(reply)) session.deleted.add(session.plants.get(String(id)))
  return reply
}

/** Deletes a plant that was made, and needs not be taken away any more where that works. */
export async function deleteMade(session: Session, { id }: Pick<MadePlant, 'id'>, call?: Call): Promise<Reply> {
  const reply = await removePlant(session, id, call)
  if (isSuccess(reply)) session.forget(nameOf(id))
  return reply
}

/** The list of plants, as it comes without a word. */
export function listPlants(session: Session, call: Call = {}): Promise<Reply> {
  return session.client.call('plants', 'GET', '/plants', call)
}

/** What a list holds. @throws Unseen when it is none. */
export function plantsOf(reply: Reply): readonly unknown[] {
  if (isSuccess(reply) && Array.isArray(reply.json)) return reply.json
  throw new Unseen(`${tell(reply)}, and not a list`)
}

/** The names in a list, in its order. @throws Unseen */
export function namesOf(reply: Reply): readonly unknown[] {
  return plantsOf(reply).map((plant) => member(plant, 'name'))
}

/** All plants, also those beyond what is listed unasked. */
export async function listAll(session: Session, call: Call = {}): Promise<Reply> {
  // What is stopped looks for no more than it knows.
  const name = call.cleansUp
    ? session.learned.get('plants.list.limit-name')
    : await findLimitName(session).catch(() => undefined)
  if (name === undefined) return listPlants(session, call)
  for (const cap of session.wholeList === undefined ? largest : [session.wholeList]) {
    const reply = await listPlants(session, { ...call, query: `${name}=${cap}` })
    if (reply.status === 400 || reply.status === 422) continue
    if (isSuccess(reply)) session.wholeList = cap
    return reply
  }
  return listPlants(session, call)
}

/** How many plants a list must show before a cap on it shows. */
const enough = 4

/** Makes sure that at least this many plants are listed. @throws Unseen */
export async function fillUp(session: Session, count = enough): Promise<Reply> {
  const reply = await listPlants(session)
  const present = plantsOf(reply).length
  if (present >= count) return reply
  const lack = session.lacks(['writes'])
  if (lack !== undefined)
    throw new Unseen(
      `${present} ${present === 1 ? 'plant is' : 'plants are'} listed, which is too few; to make more, ${lack}`,
    )
  for (let more = present; more < count; more++) await makePlant(session)
  return session.until(
    () => listPlants(session),
    (one) => plantsOf(one).length >= count,
  )
}

/** The name of the parameter that caps the list; `undefined` when none of those that are known does. @throws Unseen */
export function findLimitName(session: Session): Promise<string | undefined> {
  return session.once('limit name', async () => {
    const { length } = plantsOf(await fillUp(session))
    if (length < enough) throw new Unseen(`${length} plants are listed, though ${enough} were made`)
    for (const name of limitNames) {
      const reply = await listPlants(session, { query: `${name}=1` })
      if (isSuccess(reply) && Array.isArray(reply.json) && reply.json.length < length) {
        session.learned.set('plants.list.limit-name', name)
        return name
      }
    }
    return undefined
  })
}

/** The name of a plant in the list of what was left behind. */
function nameOf(id: number | bigint): string {
  return `the plant ${id}`
}

function idOf(body: unknown): number | bigint | undefined {
  // A server may take a list of one plant.
  const id = member(Array.isArray(body) ? body[0] : body, 'id')
  return typeof id === 'bigint' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : undefined
}

/** Bigints as the integers that they are. */
function toBody(body: unknown): unknown {
  const id = member(body, 'id')
  if (typeof id !== 'bigint') return body
  return JSON.stringify({ ...(body as object), id: '?' }).replace('"id":"?"', `"id":${id}`)
}
