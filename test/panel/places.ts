/** Every view of the panel, and what opens in it, as it stands in the URL. */
export const places = [
  '#/overview',
  '#/traffic',
  '#/traffic/1',
  '#/traffic/1?face=request',
  '#/traffic/2?face=decisions',
  '#/scenarios',
  '#/scenarios/rate-limited-plan?how=code&option.remaining=many',
  '#/assumptions',
  '#/assumptions/plants.list.order?search=plants.list',
]
