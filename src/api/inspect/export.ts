import { hasPlainName } from '../../core/accounts/accounts.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { toWritten } from '../../fixtures/forms.ts'
import { toYamlText } from '../../fixtures/yaml-text.ts'
import { type Collection, hideSecrets, toStandIn } from './collections.ts'

export interface ExportedFile {
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
  const { name, secrets } = definition
  const records = world.collection(definition).all()
  const file = { file: `${name}.yaml`, size: records.length, hidden: 0, lines: toLines() }
  return file

  function* toLines(): Generator<string> {
    const finders = world.secretFinders()
    const toShown = (secret: string) =>
      name === 'keys' && hasPlainName(world, secret) ? secret : toStandIn(name, secret)
    const hide = (record: object) =>
      hideSecrets(record, secrets?.(record) ?? [], finders, () => file.hidden++, toShown) as object
    yield `# The ${name} of the world ${world.name} at ${toIso(now)}. A time such as "2h ago" is relative to the start of the service.\n`
    if (secrets && !showsSecrets)
      yield '# Secrets are left out. Values that begin with "hidden_" or "whsec_aGlkZGVuI" stand in for them.\n'
    yield records.length === 0 ? `${name}: []\n` : `${name}:\n`
    for (const record of records)
      yield `  - ${toYamlText(toWritten(definition, showsSecrets ? record : hide(record), now))}\n`
  }
}
