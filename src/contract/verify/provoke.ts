import { NoReply } from './verdict.ts'
import type { Session } from './session.ts'

/** Provokes errors that no rule needs, so that the rules of every reply see them. */
export async function provoke(session: Session): Promise<void> {
  const { client, options } = session
  if (!options.allowWrites) return
  try {
    if (options.targets.apps !== undefined) {
      await client.call('apps', 'PATCH', '/apps', { body: {} })
      await client.call('apps', 'POST', '/apps', {
        body: 'greenhouse-verify',
        headers: { 'Content-Type': 'text/plain' },
      })
      await client.call('apps', 'GET', '/greenhouse-verify')
    }
    if (options.targets.plants !== undefined) await client.call('plants', 'PATCH', '/plants', { body: {} })
  } catch (error) {
    if (!(error instanceof NoReply)) throw error
  }
}
