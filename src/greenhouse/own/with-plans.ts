import { accounts } from '../../core/accounts/accounts.ts'
import { plans } from '../../core/accounts/plans.ts'
import { makeCatalogue, type Catalogue } from '../assembly/make-catalogue.ts'
import { createOpener } from './open-names.ts'

export function withPlans(catalogue: Catalogue, fixtures: readonly unknown[]): Catalogue {
  const { own, parts, contract } = catalogue
  const known = contract.plans
  const all = [...new Set([...known, ...fixtures.flatMap(namesOfPlans)])]
  if (all.length === known.length) return catalogue
  const opener = createOpener([
    { known, all },
    { known: ['any', ...known], all: ['any', ...all] },
  ])
  return makeCatalogue(parts.map(opener.part), {
    ...own,
    plans: all,
    collections: {
      ...own.collections,
      accounts: opener.collection(accounts as never),
      plans: opener.collection(plans as never),
    },
    open: (schema) => opener.open(own.open(schema)),
  })
}

function namesOfPlans(fixtures: unknown): string[] {
  const records: unknown = (fixtures as { plans?: unknown } | null | undefined)?.plans
  if (!Array.isArray(records)) return []
  return records
    .map((record: unknown) => (record as { id?: unknown } | null | undefined)?.id)
    .filter((id) => typeof id === 'string' && /^[a-z][\w-]{0,49}$/i.test(id) && id !== 'any') as string[]
}
