import type { World } from '../api/world.ts'
import { ok, type Answer } from './answer.ts'
import type { OpenApiJson } from './answers.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { openApiQuerySchema } from './schemas.ts'

export async function showOpenApi(
  { greenhouse, query, origin }: Call,
  { assumptions }: World,
): Promise<Answer<OpenApiJson>> {
  const { area } = check(openApiQuerySchema, query)
  const { createOpenApi } = await import('../contract/document/index.ts')
  return ok(await createOpenApi({ area, assumptions, server: origin, catalogue: greenhouse.catalogue }))
}
