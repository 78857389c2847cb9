import { createConversation } from './create.ts'
import { createMessage } from './create-message.ts'
import { deleteConversation } from './delete.ts'
import { endConversation } from './end.ts'
import { getConversation } from './get.ts'
import { getMessage } from './get-message.ts'
import { listConversations } from './list.ts'
import { listMessages } from './list-messages.ts'

/** What can be done with conversations and their messages. */
export const conversationOperations = [
  listConversations,
  createConversation,
  getConversation,
  deleteConversation,
  endConversation,
  listMessages,
  createMessage,
  getMessage,
]
