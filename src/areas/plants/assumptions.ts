import { defineAssumptions } from '../../core/contract/assumptions.ts'

export const plantAssumptions = defineAssumptions({
  'plants.list.limit-name': {
    question: 'The name of the query parameter that caps the list',
    values: ['limit', 'max', 'count', 'per_page'],
    source: 'published',
  },
  'plants.list.limit-default': {
    question: 'How many plants are listed without that parameter',
    values: ['all', '20', '100'],
    source: 'published',
  },
  'plants.list.limit-invalid': {
    question: 'A limit that is not an int32 of 0 or more',
    values: ['400', 'ignore'],
    source: 'ours',
  },
  'plants.list.limit-zero': { question: 'A limit of 0', values: ['empty', 'all', '400'], source: 'ours' },
  'plants.list.order': { question: 'The order of the list', values: ['created', 'newest', 'id'], source: 'ours' },
  'plants.unknown-query': {
    question: 'Unknown query parameters',
    values: ['ignore', 'reject'],
    source: 'convention',
  },
  'plants.create.duplicate-id': {
    question: 'An id that exists already',
    values: ['400', '409', 'replace'],
    source: 'published',
  },
  'plants.create.unknown-fields': {
    question: 'Fields beyond name, tag and id',
    values: ['ignore', 'reject', 'keep'],
    source: 'convention',
  },
  'plants.create.id-range': {
    question: 'Which int64 values an id can have',
    values: ['any', 'positive'],
    source: 'published',
  },
  'plants.name.length': {
    question: 'How many characters a name can have',
    values: ['any', '1-255'],
    source: 'published',
  },
  'plants.body.includes-id': {
    question: 'Whether a returned plant also carries its id',
    values: ['no', 'yes'],
    source: 'stated',
  },
  'plants.delete.status': { question: 'The status of a deletion', values: ['204', '200'], source: 'published' },
  'plants.delete.unknown': {
    question: 'Deletion of an id that does not exist',
    values: ['404', '400', '204'],
    source: 'ours',
  },
  'plants.delete.invalid-id': {
    question: 'An id in the path that is not an int64',
    values: ['400', '404'],
    source: 'published',
  },
  'plants.delete.foreign': {
    question:
      "Deletion of another caller's plant; with 404, the reply is that of plants.delete.unknown, whatever its value",
    values: ['404', '403'],
    source: 'convention',
  },
  'plants.error-code': {
    question: "The integer in error: the HTTP status, or the number of the error in Greenhouse's catalogue",
    values: ['status', 'numbered'],
    source: 'ours',
  },
  'plants.rate-limits': {
    question: 'Whether plan limits and their headers apply to plants',
    values: ['off', 'on'],
    source: 'ours',
  },
  'plants.webhook': {
    question: 'Whether creating a plant sends the event plant.created',
    values: ['on', 'off'],
    source: 'published',
  },
  'plants.unknown-method': {
    question: 'A method that a path of plants does not support',
    values: ['404', '405'],
    source: 'ours',
  },
  'plants.body.too-large': {
    question: 'The status of a body over the limit',
    values: ['413', '400'],
    source: 'convention',
  },
  'plants.body.encoding': {
    question: 'The status of a body with a Content-Encoding',
    values: ['415', '400'],
    source: 'convention',
  },
  'plants.body.type': {
    question: 'The status of a body that is not declared as application/json',
    values: ['400', '415'],
    source: 'published',
  },
})
