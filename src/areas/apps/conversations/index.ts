import { createConversation } from './operations/create.ts'
import { createMessage } from './operations/create-message.ts'
import { deleteConversation } from './operations/delete.ts'
import { endConversation } from './operations/end.ts'
import { getConversation } from './operations/get.ts'
import { getMessage } from './operations/get-message.ts'
import { listConversations } from './operations/list.ts'
import { listMessages } from './operations/list-messages.ts'

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
