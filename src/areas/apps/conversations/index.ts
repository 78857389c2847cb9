import {
  conditionMetSchema,
  conversationEndedSchema,
  conversations,
  conversationSchema,
  messages,
  messageSchema,
  messageSentSchema,
  newConversationSchema,
  newMessageSchema,
} from './schemas.ts'
import { defineResource } from '../declare.ts'
import { createConversation } from './operations/create.ts'
import { createMessage } from './operations/create-message.ts'
import { deleteConversation } from './operations/delete.ts'
import { endConversation } from './operations/end.ts'
import { getConversation } from './operations/get.ts'
import { getMessage } from './operations/get-message.ts'
import { listConversations } from './operations/list.ts'
import { listMessages } from './operations/list-messages.ts'

export const conversationResource = defineResource({
  operations: [
    listConversations,
    createConversation,
    getConversation,
    deleteConversation,
    endConversation,
    listMessages,
    createMessage,
    getMessage,
  ],
  eventSchemas: {
    'message.sent': messageSentSchema,
    'condition.met': conditionMetSchema,
    'conversation.ended': conversationEndedSchema,
  },
  collections: { conversations, messages },
  schemas: {
    Conversation: conversationSchema,
    NewConversation: newConversationSchema,
    Message: messageSchema,
    NewMessage: newMessageSchema,
  },
})
