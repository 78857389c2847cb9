import { confirmed, toast } from '../../components/index.ts'
import type { Panel } from '../../data/panel.ts'
import { placeOf } from '../../data/place.ts'
import type { KeySummary } from '../../data/shapes.ts'

export async function revokeKey({ api, world }: Panel, { id, name }: KeySummary, revoked: boolean): Promise<void> {
  const shown = world.name.peek()
  const set = async (wanted: boolean) => void (await api.changeKey(shown, id, { revoked: wanted }))
  await set(revoked)
  toast({ text: `${name ?? id} ${revoked ? 'is revoked' : 'works again'}`, undo: () => set(!revoked) })
}

export async function expireNow({ api, world }: Panel, { id, name, expires_at }: KeySummary): Promise<void> {
  const shown = world.name.peek()
  const set = async (at: string | null) => void (await api.changeKey(shown, id, { expires_at: at }))
  const { now } = await api.clock(shown)
  await set(now)
  toast({ text: `${name ?? id} is expired`, undo: () => set(expires_at) })
}

/** Deletes a key. The name of a key is its secret, so undo is possible; for a key without a name it asks first. */
export async function removeKey({ api, world }: Panel, key: KeySummary): Promise<void> {
  const { id, name, account, scopes, expires_at, revoked } = key
  const isWanted =
    name !== null ||
    (await confirmed({
      title: `Delete the key ${id}?`,
      text: 'You can’t undo this. Requests with this key then get 401.',
      action: 'Delete',
    }))
  if (!isWanted) return
  const shown = world.name.peek()
  const place = await placeOf(api, shown, { name: 'keys', id: 'secret' }, id)
  await api.deleteKey(shown, id)
  toast({
    text: `Deleted ${name ?? id}`,
    ...(name !== null && {
      undo: async () =>
        void (await api.createRecord(
          shown,
          'keys',
          { secret: name, account, scopes, revoked, ...(expires_at !== null && { expires_at }) },
          place,
        )),
    }),
  })
}
