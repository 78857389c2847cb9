import { redactText } from '../../core/journal/redact.ts'
import { hasPlainName } from '../../core/accounts/known-callers.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { toWritten } from '../../fixtures/forms.ts'
import { toYamlText } from '../../fixtures/yaml-text.ts'
import type { Collection } from './collections.ts'
import { toStandIn } from './hidden.ts'
import { mapStrings } from './map-strings.ts'

/** A fixture file with the present records of a collection, generated line by line. */
export interface ExportedFile {
  /** `plants.yaml` */
  readonly file: string
  readonly size: number
  /** Iterate once. */
  readonly lines: Iterable<string>
  readonly hidden: number
}

interface ExportOptions {
  /** The base of relative times, in milliseconds since 1970; now by default. */
  readonly now?: number
  /** Whether to write secrets. By default, placeholders replace them, except keys of plain words. */
  readonly showsSecrets?: boolean
}

export function exportFile(
  world: LiveWorld,
  definition: Collection,
  { now = world.clock.now(), showsSecrets = false }: ExportOptions = {},
): ExportedFile {
  const { name } = definition
  const records = world.collection(definition).all()
  const file = { file: `${name}.yaml`, size: records.length, hidden: 0, lines: toLines() }
  return file

  function* toLines(): Generator<string> {
    const hide = showsSecrets || !definition.secrets ? undefined : createReplacer(world, definition)
    yield `# The ${name} of the world ${world.name} at ${toIso(now)}. A time such as "2h ago" is relative to the start of the service.\n`
    if (hide) yield '# Secrets are left out. Values that begin with "hidden_" or "whsec_aGlkZGVuI" stand in for them.\n'
    yield records.length === 0 ? `${name}: []\n` : `${name}:\n`
    for (const record of records)
      yield `  - ${toYamlText(toWritten(definition as never, hide ? (hide(record, () => file.hidden++) as object) : record, now))}\n`
  }
}

function createReplacer(world: LiveWorld, definition: Collection) {
  const { name, secrets } = definition
  const finder = world.collection(definition).secretFinder()
  return (record: object, count: () => void) => {
    const own = secrets!(record)
    return mapStrings(record, (text) => {
      if (own.includes(text)) {
        if (name === 'keys' && hasPlainName(world, text)) return text
        count()
        return toStandIn(name, text)
      }
      const shown = redactText(text, [finder])
      if (shown !== text) count()
      return shown
    })
  }
}
