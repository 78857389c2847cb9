import type { CollectionDefinition } from '../store/collection.ts'
import type { Exchange } from './exchange.ts'
import type { Explanation } from '../contract/errors.ts'
import { nameKey } from '../accounts/known-callers.ts'
import { brief, suggest } from '../text/messages.ts'

export function explainNotFound<T extends object>(
  exchange: Exchange,
  definition: CollectionDefinition<T>,
  key: string | number | bigint,
  parent?: string,
): Explanation {
  const { world, caller } = exchange
  const { account } = caller!
  const stored = world.collection(definition)
  const record = stored.get(key as never)
  const owner = record && definition.owner?.(record)
  const home = record && definition.parent?.(record)
  const secret = caller!.key.secret
  return (show) => {
    const id = show(brief(String(key)))
    if (owner !== undefined && owner !== account.id)
      return `${id} belongs to another account, ${owner}; ${nameKey(world, secret)} belongs to ${account.id}`
    if (parent !== undefined && home !== undefined && home !== parent)
      return `${id} belongs to ${home}, not to ${show(brief(parent))}`
    if (record) return `${id} exists, but a scenario hides it`
    const isOwned = definition.owner !== undefined
    const known = isOwned ? stored.ownedBy(account.id).oldest(maxCompared) : stored.all().slice(0, maxCompared)
    const suggestion = suggest(
      String(key),
      known.map((one) => String(definition.key(one))),
    )
    return `"${id}" is not among the ${definition.name}${isOwned ? ` of ${account.id}` : ''}${suggestion === '' ? '' : `.${suggestion}`}`
  }
}

const maxCompared = 1_000
