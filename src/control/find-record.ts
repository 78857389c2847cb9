import { quote, suggest } from '../core/text/messages.ts'
import { ControlError } from './errors.ts'

interface Stored<T> {
  readonly get: (id: string) => Readonly<T> | undefined
  readonly all: () => readonly Readonly<T>[]
}

export function findRecord<T extends { readonly id: string }>(
  what: 'account' | 'delivery' | 'webhook',
  id: string,
  stored: Stored<T>,
  world: { readonly name: string },
): Readonly<T> {
  const record = stored.get(id)
  if (record) return record
  const known = stored.all().map((one) => one.id)
  const some =
    known.length > 0 ? ` It has ${known.slice(0, 5).join(', ')}${known.length > 5 ? ' and others' : ''}.` : ''
  throw new ControlError(
    404,
    `unknown_${what}`,
    `The world "${world.name}" has no ${what} ${quote(id)}.${suggest(id, known) || some}`,
  )
}
