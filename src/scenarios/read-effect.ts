import type { Contract } from '../core/pipeline/contract.ts'
import { quote } from '../core/definitions/quote.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { globFilter } from '../core/definitions/glob.ts'
import type { EffectKind } from './effect-kind.ts'
import type { Finding } from './finding.ts'
import { read } from './issues.ts'
import { fillIn } from './placeholders.ts'

interface ReadEffect {
  readonly spec: unknown
  readonly findings: readonly Finding[]
}

export function readEffect(
  kind: EffectKind,
  data: unknown,
  options: Readonly<Record<string, unknown>>,
  contract: Contract,
): ReadEffect {
  return readMember(kind, fillIn(data, options), contract)
}

export function readMember(kind: EffectKind, data: unknown, contract: Contract): ReadEffect {
  const result = read(contract.open(kind.schema), data)
  const findings =
    'data' in result
      ? [...(kind.check?.(result.data, contract) ?? []), ...checkOperations(result.data, contract)]
      : result.findings
  return {
    spec: 'data' in result ? result.data : undefined,
    findings: findings.map(({ path, message }) => ({ path: [kind.name, ...path], message })),
  }
}

/** Reports an `on` that matches no operation, because the effect would never act. */
function checkOperations(specs: unknown, { operations, missing }: Contract): Finding[] {
  if (!Array.isArray(specs)) return []
  const ids = operations.map(({ id }) => id)
  const globs = new Set(ids.map((id) => `${id.split('.')[0]}.*`))
  return specs.flatMap(({ on = [] }: { on?: string | string[] }, index) =>
    [on].flat().flatMap((pattern, position) =>
      ids.some(globFilter(pattern))
        ? []
        : [
            {
              path: [index, 'on', ...(Array.isArray(on) ? [position] : [])],
              message: `no operation is called ${quote(pattern)}.${suggest(pattern, [...ids, ...globs])}${missing}`,
            },
          ],
    ),
  )
}
