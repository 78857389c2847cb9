import { confirmed, toast } from '../../components/index.ts'
import type { Panel } from '../../data/panel.ts'
import type { KeySummary } from '../../data/shapes.ts'

/** Revokes a key, or takes that back. */
export async function revokeKey({ api, world }: Panel, { id, name }: KeySummary, revoked: boolean): Promise<void> {
  const set = async (wanted: boolean) => void (await api.changeKey(world.name.peek(), id, { revoked: wanted }))
  await set(revoked)
  toast({ text: `${name ?? id} ${revoked ? 'is revoked' : 'works again'}`, undo: () => set(!revoked) })
}

/** Lets a key end at what the world's clock shows. */
export async function expireNow({ api, world }: Panel, { id, name, expires_at }: KeySummary): Promise<void> {
  const set = async (at: string | null) => void (await api.changeKey(world.name.peek(), id, { expires_at: at }))
  const { now } = await api.clock(world.name.peek())
  await set(now)
  toast({ text: `${name ?? id} is expired`, undo: () => set(expires_at) })
}

/** Deletes a key. One of plain words can be put back; of any other the panel does not know the secret, so it asks. */
export async function deleteKey({ api, world }: Panel, key: KeySummary): Promise<void> {
  const { id, name, account, scopes, expires_at, revoked } = key
  const isWanted =
    name !== null ||
    (await confirmed({
      title: `Delete the key ${id}?`,
      text: 'You can’t undo this. Requests with this key then get 401.',
      action: 'Delete',
    }))
  if (!isWanted) return
  await api.deleteKey(world.name.peek(), id)
  toast({
    text: `Deleted ${name ?? id}`,
    ...(name !== null && {
      undo: async () =>
        void (await api.createRecord(world.name.peek(), 'keys', {
          secret: name,
          account,
          scopes,
          revoked,
          ...(expires_at !== null && { expires_at }),
        })),
    }),
  })
}
