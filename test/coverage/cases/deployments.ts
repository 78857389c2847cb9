import type { World } from 'greenhouse-mock'
import { waysOf } from '../refusals.ts'
import { created, deleted, sound, together, when, withBody, withQuery, type Cases, type Way } from '../ways.ts'

const taken = { domain: 'chat.orchids.example' }
const bad = [
  { domain: 'no host' },
  { domain: '127.0.0.1' },
  { branding: { primary_color: 'green' } },
  { branding: { logo_url: 'logo.png' } },
  taken,
]
const downgrade = ({ records }: World) => records.accounts.update('acct_pro', { plan: 'lite' })

/** Requests that need a larger plan. */
function gated(id: string): Way[] {
  return [
    when(id, 'a custom domain on a plan below Pro', downgrade, { body: { domain: 'talk.example.com' } }),
    when(id, 'hide_powered_by on a plan below Pro Plus', () => undefined, {
      body: { branding: { hide_powered_by: true } },
    }),
  ]
}

function badBodies(id: string): Way[] {
  return bad.map((body) => withBody(id, body))
}

export const deployments: Cases = {
  ...waysOf('deployments.list', { 200: [sound('deployments.list')], 400: [withQuery('deployments.list', 'state=up')] }),
  ...waysOf(
    'deployments.create',
    together(created('deployments.create'), { 400: badBodies('deployments.create'), 403: gated('deployments.create') }),
  ),
  ...waysOf('deployments.get', { 200: [sound('deployments.get')] }),
  ...waysOf('deployments.update', {
    200: [sound('deployments.update')],
    400: badBodies('deployments.update'),
    403: gated('deployments.update'),
  }),
  ...waysOf('deployments.delete', deleted('deployments.delete')),
  ...waysOf('deployments.verify', { 200: [sound('deployments.verify')] }),
}
