import { make } from '../apps.ts'
import { unknown, value, type Gap } from '../definitions.ts'
import type { Session } from '../session.ts'
import { assertSeen, describeReply, Unseen } from '../verdict.ts'
import { isSuccess, member, type ServerReply } from '../wire.ts'

/** The longest wait for a certificate, and the polling interval, in milliseconds. */
const patience = 40_000
const step = 2_000

export const deploymentGaps: readonly Gap[] = [
  {
    id: 'deployments.dns',
    needs: ['writes'],
    async look(session) {
      const { state } = await verified(session)
      if (state !== 'pending_dns') return value('verified', 'the DNS records of a new domain are found at once')
      throw new Unseen(
        'the DNS records of a new domain are not found at once: a run is too short to show whether they are found later',
        ['pending', 'after-1h'],
      )
    },
  },
  {
    id: 'deployments.certificate',
    needs: ['writes'],
    async look(session) {
      const { path, state, reply } = await verified(session)
      if (state === 'live') return value('instant', 'a deployment is live once its DNS records are found')
      assertSeen(state === 'issuing_certificate', `the deployment is ${String(state)}, and no certificate is issued`)
      const lack = session.lacks(['slow'])
      if (lack !== undefined) throw new Unseen(lack)
      for (;;) {
        await session.options.wait(step)
        const now = await session.client.call('apps', 'GET', path)
        const seconds = Math.round((now.at - reply.at) / 1_000)
        const from = `${seconds} s after its DNS records were found a deployment is ${String(member(now.json, 'state'))}`
        if (member(now.json, 'state') === 'failed') return value('fails', from)
        if (member(now.json, 'state') === 'live')
          return seconds >= 25 && seconds <= 36 ? value('30s', from) : unknown(from)
        if (now.at - reply.at > patience) return unknown(from, now)
      }
    },
  },
]

function verified(session: Session): Promise<{ path: string; state: unknown; reply: ServerReply }> {
  return session.once('deployment', async () => {
    const app = await make(session, '/apps', { name: session.newName() })
    const { path } = await make(session, `${app.path}/deployments`, { domain: `${session.newName()}.example.com` })
    const reply = await session.client.call('apps', 'POST', `${path}/verify`)
    assertSeen(isSuccess(reply), describeReply(reply))
    return { path, state: member(reply.json, 'state'), reply }
  })
}
