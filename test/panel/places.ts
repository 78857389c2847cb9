/** Every view of the panel, and what opens in it, as it stands in the URL. */
export const places = [
  '#/overview',
  '#/traffic',
  '#/traffic/1',
  '#/traffic/1?face=request',
  '#/traffic/2?face=decisions',
  '#/data',
  '#/data/plants/9007199254740993',
  '#/data/messages?where.role=user&sort=-created_at&page=2',
  '#/data/webhooks?new=*',
  '#/data/plants?search=nothing-like-it',
  '#/data?face=snapshots&snapshot=filled',
  '#/account/acct_pro',
]
