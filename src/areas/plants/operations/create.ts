import { ApiError } from '../../../core/contract/errors.ts'
import { quote } from '../../../core/text/messages.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { declareOperation } from '../../../core/pipeline/operation.ts'
import { plantAssumptions } from '../assumptions.ts'
import { toPlantCreated } from '../events.ts'
import { plantShape, presenter } from '../present.ts'
import { newPlantSchema, plants, plantSchema, type Plant } from '../schemas.ts'

export const createPlant = declareOperation({
  id: 'plants.create',
  method: 'POST',
  path: '/plants',
  title: 'Create Plant',
  source: 'stated',
  scope: 'plants:write',
  body: newPlantSchema,
  bodyUnder: (assume) => ({
    ...(assume(plantAssumptions, 'plants.create.id-range') === 'positive' && { id: { minimum: 1 } }),
    ...(assume(plantAssumptions, 'plants.name.length') === '1-255' && { name: { minLength: 1, maxLength: 255 } }),
  }),
  example: { id: 4711, name: 'Ficus', tag: 'tree' },
  result: plantSchema,
  resultUnder: plantShape,
  errors: (assume) => {
    const treatment = assume(plantAssumptions, 'plants.create.duplicate-id')
    return [['duplicate_id', treatment === '409' ? 409 : 400]]
  },
  handle(exchange, { body, sent }) {
    const { id, name, tag } = body
    assertIdInRange(exchange, id)
    assertNameLength(exchange, name)
    const extra = unknownFields(exchange, sent)
    const plant: Plant = { id, name, account: exchange.caller!.account.id }
    if (tag !== undefined) plant.tag = tag
    if (extra) plant.extra = extra
    const stored = exchange.collection(plants)
    if (stored.get(id)) replaceExisting(exchange, id)
    const created = stored.insert(plant)
    if (exchange.assume(plantAssumptions, 'plants.webhook') === 'on')
      exchange.emit('plant.created', null, toPlantCreated(created))
    return { status: 200, body: presenter(exchange).present(created) }
  },
})

function assertIdInRange(exchange: Exchange, id: number | bigint): void {
  if (exchange.assume(plantAssumptions, 'plants.create.id-range') === 'positive' && id <= 0)
    throw new ApiError('invalid_request', 'id must be an integer of at least 1.')
}

function assertNameLength(exchange: Exchange, name: string): void {
  if (exchange.assume(plantAssumptions, 'plants.name.length') === 'any') return
  // A list of its characters takes more memory than the whole plant, and only long names need it.
  const length = name.length > 255 ? [...name].length : name.length
  if (length < 1 || length > 255) throw new ApiError('invalid_request', 'name must have 1 to 255 characters.')
}

function unknownFields(
  exchange: Exchange,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (exchange.assume(plantAssumptions, 'plants.create.unknown-fields') !== 'keep') return undefined
  const unknown = Object.entries(sent).filter(([field]) => field !== 'id' && field !== 'name' && field !== 'tag')
  return unknown.length === 0 ? undefined : Object.fromEntries(unknown)
}

function replaceExisting(exchange: Exchange, id: number | bigint): void {
  const stored = exchange.collection(plants)
  const treatment = exchange.assume(plantAssumptions, 'plants.create.duplicate-id')
  const { account, name } = stored.get(id)!
  const isOwn = account === exchange.caller!.account.id
  if (treatment === 'replace' && isOwn) return void stored.delete(id)
  const message = `id: a plant with the id ${id} exists already.`
  const error = new ApiError('duplicate_id', message, treatment === '409' ? 409 : 400)
  throw isOwn ? error : error.because(`${message} It is ${quote(name)} of the account ${account}.`)
}
