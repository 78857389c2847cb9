import { messagesCreate } from './apps.ts'

/** Sends a message and returns the server-sent events of the answer as text. */
export async function streamMessage(app_id: string, conversation_id: string, content: string) {
  const { data } = await messagesCreate(app_id, conversation_id, { content, stream: true })
  return data
}
