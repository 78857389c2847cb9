import {
  convention,
  type Assumptions,
  ours,
  published,
  stated,
} from '../../core/contract/assumptions.ts'

export const plantAssumptions: Assumptions = {
  'plants.list.limit-name': published('The name of the query parameter that caps the list', [
    'limit',
    'max',
    'count',
    'per_page',
  ]),
  'plants.list.limit-default': published('How many plants are listed without that parameter', [
    'all',
    '20',
    '100',
  ]),
  'plants.list.limit-invalid': ours('A limit that is not an int32 of 0 or more', ['400', 'ignore']),
  'plants.list.limit-zero': ours('A limit of 0', ['empty', 'all', '400']),
  'plants.list.order': ours('The order of the list', ['created', 'newest', 'id']),
  'plants.unknown-query': convention('Unknown query parameters', ['ignore', 'reject']),
  'plants.create.duplicate-id': published('An id that exists already', ['400', '409', 'replace']),
  'plants.create.unknown-fields': convention('Fields beyond name, tag and id', [
    'ignore',
    'reject',
    'keep',
  ]),
  'plants.create.id-range': published('Which int64 values an id can have', ['any', 'positive']),
  'plants.name.length': published('How many characters a name can have', ['any', '1-255']),
  'plants.body.includes-id': stated('Whether a returned plant also carries its id', ['no', 'yes']),
  'plants.delete.status': published('The status of a deletion', ['204', '200']),
  'plants.delete.unknown': ours('Deletion of an id that does not exist', ['404', '400', '204']),
  'plants.delete.invalid-id': published('An id in the path that is not an int64', ['400', '404']),
  'plants.delete.foreign': convention(
    "Deletion of another caller's plant; with 404, the reply is that of plants.delete.unknown, whatever its value",
    ['404', '403'],
  ),
  'plants.error-code': ours(
    "The integer in error: the HTTP status, or the number of the error in Greenhouse's catalogue",
    ['status', 'numbered'],
  ),
  'plants.rate-limits': ours('Whether plan limits and their headers apply to plants', [
    'off',
    'on',
  ]),
  'plants.webhook': published('Whether creating a plant sends the event plant.created', [
    'on',
    'off',
  ]),
  'plants.unknown-method': ours('A method that a path of plants does not support', ['404', '405']),
  'plants.body.too-large': convention('The status of a body over the limit', ['413', '400']),
  'plants.body.encoding': convention('The status of a body with a Content-Encoding', [
    '415',
    '400',
  ]),
  'plants.body.type': published('The status of a body that is not declared as application/json', [
    '400',
    '415',
  ]),
}
