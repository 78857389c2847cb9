import { parse } from '../store.ts'
import { takes, type Mistakes } from './how.ts'

let nextId = 90_000n
const made = (sent: Record<string, any>) => ({ id: nextId++, name: String(sent['name']) })

/** Bodies that a plant store takes and should not. */
export const takenMistakes: Mistakes = {
  'takes a plant without a name': [
    'plants.create.refuses.no-name',
    takes((text) => {
      const sent = parse(text)
      return sent && !('name' in sent) ? { ...made(sent), id: BigInt(sent['id']) } : undefined
    }),
  ],
  'takes a plant without an id': [
    'plants.create.refuses.no-id',
    takes((text) => {
      const sent = parse(text)
      return sent && !('id' in sent) ? made(sent) : undefined
    }),
  ],
  'takes a name that is a number': [
    'plants.create.refuses.name-type',
    takes((text) => {
      const sent = parse(text)
      return typeof sent?.['name'] === 'number' ? { ...made(sent), id: BigInt(sent['id']) } : undefined
    }),
  ],
  'takes a name of null': [
    'plants.create.refuses.name-null',
    takes((text) => {
      const sent = parse(text)
      return sent?.['name'] === null ? { ...made(sent), id: BigInt(sent['id']) } : undefined
    }),
  ],
  'takes a tag that is a number': [
    'plants.create.refuses.tag-type',
    takes((text) => {
      const sent = parse(text)
      return typeof sent?.['tag'] === 'number' ? { ...made(sent), id: BigInt(sent['id']) } : undefined
    }),
  ],
  'takes an id that is a text': [
    'plants.create.refuses.id-text',
    takes((text) => {
      const sent = parse(text)
      return typeof sent?.['id'] === 'string' ? made(sent) : undefined
    }),
  ],
  'takes an id that is a fraction': [
    'plants.create.refuses.id-fraction',
    takes((text) => {
      const sent = parse(text)
      return typeof sent?.['id'] === 'number' && !Number.isInteger(sent['id'])
        ? { ...made(sent), id: BigInt(Math.floor(sent['id'])) }
        : undefined
    }),
  ],
  'takes an id of more than 64 bits': [
    'plants.create.refuses.id-range',
    takes((text) => {
      const sent = parse(text)
      return text.includes('9223372036854775808') ? made(sent!) : undefined
    }),
  ],
  'takes what is no JSON': [
    'plants.create.refuses.not-json',
    takes((text) => (/^\{[^}]+$/.test(text) ? parse(`${text}}`) && { ...made(parse(`${text}}`)!) } : undefined)),
  ],
  'takes a list of plants': [
    'plants.create.refuses.no-object',
    takes((text) => {
      const sent = text.startsWith('[') ? parse(text.slice(1, -1)) : undefined
      return sent && { ...made(sent), id: BigInt(sent['id']) }
    }),
  ],
  'takes an empty body': [
    'plants.create.refuses.empty',
    takes((text) => (text === '' ? { id: nextId++, name: 'Nameless' } : undefined)),
  ],
}
