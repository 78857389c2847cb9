import type { World } from 'greenhouse-mock'

/** An app's usage between two times, counted the slow way. */
export function countNaively(world: World, app: string, from: number, to: number) {
  const { conversations, messages } = world.records
  const own = new Map(
    conversations
      .all()
      .filter((one) => one.app === app)
      .map((one) => [one.id, one]),
  )
  const said = messages
    .all()
    .filter((message) => own.has(message.conversation) && message.created_at >= from && message.created_at < to)
  const users = said.map((message) => own.get(message.conversation)!.user).filter((user) => user !== null)
  return {
    messages: said.length,
    conversations: [...own.values()].filter(({ created_at }) => created_at >= from && created_at < to).length,
    active_users: new Set(users).size,
    credits: said.reduce((sum, message) => sum + message.credits, 0),
  }
}
