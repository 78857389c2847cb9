import { appErrorSchema, toErrorReply, toRefusal, toStatus } from '../../areas/apps/errors.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import type { AreaPart } from '../assembly/make-catalogue.ts'
import type { OwnArea } from './definitions.ts'

export function createOwnArea({ name, base = `/${name}`, title = name, version = '1' }: OwnArea): AreaPart {
  return {
    name,
    area: {
      name,
      title,
      version,
      base,
      operations: [],
      assumptions: {},
      schemas: { Error: appErrorSchema },
      eventSchemas: {},
      errorSchema: appErrorSchema,
      rejectsUnknownFields: () => false,
      idSchema: { type: 'string', minLength: 1 },
      toStatus,
      hasIdempotencyKeys: true,
      check: () => undefined,
      isRateLimited: () => true,
      hasRequestId: (exchange) => exchange.assume(coreAssumptions, 'errors.request-id-header') === 'sent',
      toErrorReply,
      toRefusal,
    },
    collections: {},
  }
}
