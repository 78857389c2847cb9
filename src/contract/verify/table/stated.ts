/** What the reference states, in our words: a rule each. Ids begin with the area. */
export const statedRules = {
  'plants.list.auth.missing': 'GET /plants without a key is answered with 401.',
  'plants.list.auth.invalid': 'GET /plants with an unknown key is answered with 401.',
  'plants.list.auth.expired': 'GET /plants with an expired key is answered with 401.',
  'plants.list.auth.scheme': 'A key counts only after "Bearer" and a space.',
  'plants.create.auth': 'POST /plants without a valid key is answered with 401, and creates nothing.',
  'plants.delete.auth': 'DELETE /plants/{id} without a valid key is answered with 401, and deletes nothing.',
  'plants.list.reply':
    'GET /plants is answered with a JSON array of plants: each has a name and an optional tag, both strings.',
  'plants.list.limit':
    'The query parameter caps how many plants are returned: exactly that many, if there are that many.',
  'plants.list.own': "Another caller's plants are not listed.",
  'plants.create.status': 'POST /plants with name, tag and id is answered with 200.',
  'plants.create.reply': 'The reply to a creation is the plant, with the name and the tag that were sent.',
  'plants.create.tag-optional':
    'The tag is optional: a plant without one is created, and its reply has no tag, or a string as its tag.',
  'plants.create.listed': 'A plant that was created is listed.',
  'plants.create.unicode': 'A name that is accepted is returned and listed as it was sent, whatever its characters.',
  'plants.create.int64': 'An id is a 64-bit integer: two ids that differ only in the last bit are two plants.',
  'plants.create.refuses.no-name': 'POST /plants with a body without a name is answered with 400, and creates nothing.',
  'plants.create.refuses.no-id': 'POST /plants with a body without an id is answered with 400, and creates nothing.',
  'plants.create.refuses.name-type':
    'POST /plants with a body whose name is a number is answered with 400, and creates nothing.',
  'plants.create.refuses.name-null':
    'POST /plants with a body whose name is null is answered with 400, and creates nothing.',
  'plants.create.refuses.tag-type':
    'POST /plants with a body whose tag is a number is answered with 400, and creates nothing.',
  'plants.create.refuses.id-text':
    'POST /plants with a body whose id is a string is answered with 400, and creates nothing.',
  'plants.create.refuses.id-fraction':
    'POST /plants with a body whose id is a fraction is answered with 400, and creates nothing.',
  'plants.create.refuses.id-range':
    'POST /plants with a body whose id has more than 64 bits is answered with 400, and creates nothing.',
  'plants.create.refuses.not-json':
    'POST /plants with a body that is not JSON is answered with 400, and creates nothing.',
  'plants.create.refuses.no-object':
    'POST /plants with a body that is a list is answered with 400, and creates nothing.',
  'plants.create.refuses.empty': 'POST /plants with a body that is empty is answered with 400, and creates nothing.',
  'plants.delete.gone': 'DELETE /plants/{id} deletes the plant: it succeeds, and the plant is no longer listed.',
  'plants.delete.single': 'DELETE /plants/{id} deletes the one plant that the id names, and no other.',
  'plants.delete.int64':
    'The id in the path is exact: of two plants whose ids differ in the last bit, the named one is deleted.',
  'plants.delete.no-body': 'The reply to a deletion has no body.',
  'plants.delete.own': "Another caller's plant can't be deleted.",
  'plants.errors.body': 'An error of the plant store is an object with error, a 32-bit integer, and message, a string.',
  'plants.json': 'Bodies of replies are declared as application/json, and are JSON.',
  'apps.auth.missing': 'A request without a key is answered with 401.',
  'apps.auth.invalid': 'A request with an unknown key is answered with 401.',
  'apps.auth.expired': 'A request with an expired key is answered with 401.',
  'apps.auth.scheme': 'A key counts only after "Bearer" and a space.',
  'apps.auth.invalid-code': 'The error.code of an invalid key is invalid_api_key.',
  'apps.auth.expired-code': 'The error.code of an expired key is invalid_api_key.',
  'apps.version': 'The base URL of app management ends with /v1.',
  'apps.list': "GET /apps lists the caller's apps.",
  'apps.list.created': 'An app that was created is listed.',
  'apps.list.own': "Another caller's apps are not listed.",
  'apps.status.404': 'What does not exist is answered with 404.',
  'apps.status.404-foreign': "Another caller's app is answered as one that does not exist, or with 403.",
  'apps.status.400': 'Invalid parameters are answered with 400.',
  'apps.status.403': 'What the key does not permit is answered with 403.',
  'apps.limit.counts': 'Each request leaves one less in X-RateLimit-Remaining.',
  'apps.limit.status': 'A request above the limit is answered with 429.',
  'apps.limit.granted': 'No request within the limit is answered with 429.',
  'apps.errors.body':
    'An error of app management is an object with error, an object with the strings code and message.',
  'apps.errors.request-id': 'An error of app management has error.request_id, a string that identifies the request.',
  'apps.errors.status': 'The status of an error of app management is 400, 401, 403, 404, 429 or 500.',
  'apps.headers.limit': 'Every reply carries X-RateLimit-Limit: the limit of a plan, per minute or per day.',
  'apps.headers.remaining':
    'Every reply carries X-RateLimit-Remaining: how many requests are left, no more than the limit.',
  'apps.headers.reset': 'Every reply carries X-RateLimit-Reset: a time within the next day.',
  'apps.json': 'Bodies of replies are declared as application/json, and are JSON.',
} as const

export type StatedRule = keyof typeof statedRules

export function isStated(id: string): id is StatedRule {
  return Object.hasOwn(statedRules, id)
}
