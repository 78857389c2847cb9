import type { Area } from '../../core/pipeline/operation.ts'
import { plantAssumptions } from './assumptions.ts'
import { checkRequest, keepsUnknownFields, rejectsUnknownFields } from './check-request.ts'
import { toErrorReply, toRefusal, toStatus } from './errors.ts'
import { createPlant } from './operations/create.ts'
import { deletePlant } from './operations/delete.ts'
import { listPlants } from './operations/list.ts'
import { newPlantSchema, plantErrorSchema, plants, plantSchema } from './schemas.ts'

export const plantsCollections = { plants }

export const plantsArea: Area = {
  name: 'plants',
  title: 'Plant store',
  version: '1.0.0',
  base: '',
  operations: [createPlant, listPlants, deletePlant],
  assumptions: plantAssumptions,
  schemas: { Plant: plantSchema, NewPlant: newPlantSchema, PlantError: plantErrorSchema },
  eventSchemas: { 'plant.created': newPlantSchema },
  errorSchema: plantErrorSchema,
  rejectsUnknownFields,
  keepsUnknownFields,
  idSchema: { type: 'integer', format: 'int64' },
  toStatus,
  hasIdempotencyKeys: false,
  check: checkRequest,
  isRateLimited: (exchange) => exchange.assume(plantAssumptions, 'plants.rate-limits') === 'on',
  hasRequestId: () => false,
  toErrorReply,
  toRefusal,
}
