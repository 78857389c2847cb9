export const idPrefixes = {
  app_id: 'app',
  user_id: 'usr',
  conversation_id: 'conv',
  message_id: 'msg',
  webhook_id: 'wh',
  delivery_id: 'del',
  deployment_id: 'dep',
  purchase_id: 'pur',
} as const
