import type { VerifyCall } from './client.ts'
import { listAll, makePlant, namesOf, plantsOf } from './plants.ts'
import type { Session } from './session.ts'
import { Inconclusive } from './finding.ts'
import { mayBePage, type ServerReply } from './wire.ts'

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
