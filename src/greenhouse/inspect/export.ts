import { hasPlainName } from '../../core/pipeline/key-explanation.ts'
import { toFingerprint } from '../../core/store/fingerprint.ts'
import { toIso } from '../../core/time/clock.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { toWritten } from '../../fixtures/forms.ts'
import { toYamlText } from '../../fixtures/yaml-text.ts'
import type { Collection } from './collections.ts'

/** How a world's records become fixtures. */
export interface ExportOptions {
  /** Whether secrets stand there as they are; without it a placeholder stands for each that is not one of plain words. */
  readonly secrets?: boolean
}

/** A fixture file with the records of one collection, line by line; the records are those of now. */
export function exportFile(
  world: LiveWorld,
  definition: Collection,
  options: ExportOptions = {},
): { file: string; size: number; hidden: number; lines: Iterable<string> } {
  const records = world.collection(definition).all()
  const now = world.clock.now()
  const { name, secrets } = definition
  const placeholders = secrets && !options.secrets ? toPlaceholders(world, definition, records) : undefined
  return {
    file: `${name}.yaml`,
    size: records.length,
    hidden: placeholders?.size ?? 0,
    lines: toLines(world, definition, records, now, placeholders),
  }
}

function* toLines(
  world: LiveWorld,
  definition: Collection,
  records: readonly object[],
  now: number,
  placeholders: ReadonlyMap<string, string> | undefined,
): Generator<string> {
  const { name } = definition
  yield `# The ${name} of the world ${world.name} at ${toIso(now)}: times such as "2h ago" count from the start of the service.\n`
  if (placeholders && placeholders.size > 0)
    yield '# Secrets are not written down: what has "hidden" in its name, or is made of it, stands for one.\n'
  yield records.length === 0 ? `${name}: []\n` : `${name}:\n`
  for (const record of records) {
    const shown = placeholders ? (replaceTexts(record, placeholders) as object) : record
    yield `  - ${toYamlText(toWritten(definition as never, shown, now))}\n`
  }
}

/** What stands for secrets that may not be shown: something that can stand in their place. */
function toPlaceholders(
  world: LiveWorld,
  { name, secrets }: Collection,
  records: readonly object[],
): ReadonlyMap<string, string> {
  const placeholders = new Map<string, string>()
  for (const record of records)
    for (const secret of secrets!(record)) {
      if (name === 'keys' && hasPlainName(world, secret)) continue
      const fingerprint = toFingerprint(secret)
      placeholders.set(secret, name === 'keys' ? `hidden_${fingerprint}` : `whsec_${btoa(`hidden ${fingerprint}`)}`)
    }
  return placeholders
}

function replaceTexts(value: unknown, replacements: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replacements.get(value) ?? value
  if (Array.isArray(value)) return value.map((part) => replaceTexts(part, replacements))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceTexts(part, replacements)]))
}
