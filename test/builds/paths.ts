import type { World } from '../../src/index.ts'

/** A path that names something that is there, and the key of an account that it belongs to. */
export type Place = readonly [path: string, key: string]

/**
 * The places of a world by the template that they fill, such as
 * `/v1/apps/{app_id}/users/{user_id}`; a template without parameters has none.
 */
export function placesOf({ records }: World): Map<string, Place[]> {
  const places = new Map<string, Place[]>()
  const note = (template: string, path: string, account: string) => {
    const all = places.get(template) ?? []
    places.set(template, all)
    all.push([path, account.replace('acct_', 'key_')])
  }
  const appPath = (app: string) => `/v1/apps/${app}`
  const app = '/v1/apps/{app_id}'
  const conversation = `${app}/conversations/{conversation_id}`
  const webhook = '/v1/webhooks/{webhook_id}'
  for (const { id, account } of records.plants.all()) note('/plants/{id}', `/plants/${id}`, account)
  for (const { id, account } of records.apps.all()) note(app, appPath(id), account)
  for (const one of records.users.all())
    note(`${app}/users/{user_id}`, `${appPath(one.app)}/users/${one.id}`, one.account)
  const appOf = new Map<string, string>()
  for (const one of records.conversations.all()) {
    appOf.set(one.id, one.app)
    note(conversation, `${appPath(one.app)}/conversations/${one.id}`, one.account)
  }
  for (const one of records.messages.all())
    note(
      `${conversation}/messages/{message_id}`,
      `${appPath(appOf.get(one.conversation)!)}/conversations/${one.conversation}/messages/${one.id}`,
      one.account,
    )
  for (const { id, account } of records.webhooks.all()) note(webhook, `/v1/webhooks/${id}`, account)
  for (const one of records.deliveries.all())
    note(
      `${webhook}/deliveries/{delivery_id}`,
      `/v1/webhooks/${one.webhook}/deliveries/${one.id}`,
      one.account,
    )
  for (const one of records.deployments.all())
    note(
      `${app}/deployments/{deployment_id}`,
      `${appPath(one.app)}/deployments/${one.id}`,
      one.account,
    )
  for (const { id, account } of records.purchases.all())
    note('/v1/credits/purchases/{purchase_id}', `/v1/credits/purchases/${id}`, account)
  for (const plan of ['free', 'lite', 'pro', 'pro_plus'])
    note('/v1/plans/{plan_id}', `/v1/plans/${plan}`, 'acct_pro')
  for (const { id, account } of records.sensors?.all() ?? [])
    note('/sensors/{sensor_id}', `/sensors/${id}`, account)
  return places
}

/**
 * The template up to its last parameter, and what follows; without parameters all of it follows.
 */
export function splitTemplate(template: string): [place: string, rest: string] {
  const end = template.lastIndexOf('}') + 1
  return [template.slice(0, end), template.slice(end)]
}

/** Returns a pattern for the paths of a template. */
export function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
}
