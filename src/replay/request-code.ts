import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import { type ClientBases, toClientUrl } from '../core/http/urls.ts'
import { bodyCap, type JournalRecord } from '../core/journal/journal-record.ts'
import { type CodeForm, languages, runners } from '../output/code.ts'
import { toVisible } from '../core/text/messages.ts'
import { toCopiedTest } from './copied-test.ts'
import { toBodyText } from '../cases/content.ts'
import { fingerprintPattern, splitRequest } from '../cases/format.ts'
import { CaseSecrets } from '../cases/secrets.ts'
import { type TestRunner, toSentHeaders } from './test-code.ts'
import { writeRequest } from '../cases/write-step.ts'

interface CodeContext {
  readonly greenhouse: Greenhouse
  readonly world: World
  readonly bases: ClientBases
}

/**
 * Returns a request as code: a command or program of one of `languages`, or a test for one of
 * `runners`. The notes say what the code lacks; a test has them in its first lines, too.
 */
export function toRequestCode(context: CodeContext, record: JournalRecord, form: CodeForm) {
  const notes: string[] = []
  if (record.isTooLarge)
    notes.push('The journal did not keep the body, which was too large: this one is, too.')
  else if (record.body && record.body.length > bodyCap)
    notes.push('The journal kept only the beginning of the body: complete it.')
  if (!(form in runners)) {
    const text = toRequestCommand(context, record, form as keyof typeof languages, notes)
    return { text, notes }
  }
  const { greenhouse, world } = context
  const code = toCopiedTest(greenhouse, world, record, {
    runner: form as TestRunner,
    notes,
  })
  return {
    text: notes.map((note) => `// ${toVisible(note)}\n`).join('') + code,
    notes,
  }
}

/** @param notes gets what the code lacks */
function toRequestCommand(
  { world, bases }: CodeContext,
  record: JournalRecord,
  form: keyof typeof languages,
  notes: string[],
): string {
  const step = writeRequest(record, new CaseSecrets(world.core))
  const [method, target] = splitRequest(step)
  const headers = Object.entries(toSentHeaders(step)).map(([name, value]): [string, string] => [
    name,
    value.replace(fingerprintPattern, '$KEY'),
  ])
  if (headers.some(([, value]) => value.includes('$KEY')))
    notes.push('Set KEY: the journal keeps no keys.')
  const isWorldNamed = target.startsWith('/~') || 'x-greenhouse-world' in (step.headers ?? {})
  if (world.name !== 'default' && !isWorldNamed) headers.push(['x-greenhouse-world', world.name])
  return languages[form]({
    method,
    url: toClientUrl(bases)(target),
    headers,
    body: toBodyText(step),
  })
}
