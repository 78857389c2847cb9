/** Every view of the panel, and what opens in it, as it stands in the URL. */
export const places = [
  '#/overview',
  '#/traffic',
  '#/traffic/1',
  '#/traffic/1?face=request',
  '#/traffic/2?face=decisions',
  '#/webhooks',
  '#/webhooks?trigger=app.created',
  '#/webhooks/deliveries/del_lrtulzjiz4ruujdv',
  '#/webhooks/deliveries/del_lrtulzjiz4ruujdv?face=signature',
  '#/webhooks/endpoints/wh_bcjl342gumzojejh',
  '#/time',
  '#/docs',
  '#/docs/apps.create',
  '#/docs/messages.list',
]
