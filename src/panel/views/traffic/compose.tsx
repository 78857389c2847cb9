import { useSignal } from '@preact/signals'
import type { OpenApiDocument } from '../../../contract/document/index.ts'
import type { OperationObject } from '../../../contract/document/operation.ts'
import { Dialog } from '../../components/controls.tsx'
import { bound, Form, TextField, useTexts } from '../../components/form/form.tsx'
import { Loaded } from '../../components/content.tsx'
import { toast } from '../../components/toast.tsx'
import { type Panel, usePanel, useResource } from '../../data/panel.ts'
import { pretty, toResultText } from '../../components/words.ts'
import { type JournalEntry, readKeyNames } from '../../data/control.ts'
import { keyOf } from './log.ts'

/**
 * @param source the operation whose sample it begins with, or the number of a request that was sent
 */
export default function Composer({ source }: { source: string }) {
  const panel = usePanel()
  const { router } = panel
  const close = () => router.setParam('compose')
  const begun = useResource(() => begin(panel, source), [])
  return (
    <Dialog title="Compose a request" width="wide" onClose={close}>
      <Loaded resource={begun}>
        {(found) => <ComposeForm source={source} {...found} onClose={close} />}
      </Loaded>
    </Dialog>
  )
}

type DocumentedOperation = OperationObject & {
  method: string
  path: string
}

type Begun = Awaited<ReturnType<typeof begin>>

type RequestTexts = Readonly<Record<'method' | 'path' | 'key' | 'headers' | 'body', string>>

async function begin({ control, world }: Panel, source: string) {
  const entry = /^\d{1,15}$/.test(source)
    ? await control.call('GET /worlds/{world}/journal/{id}', { id: source })
    : undefined
  const [document, names] = await Promise.all([
    control.call('GET /worlds/{world}/openapi.json') as Promise<OpenApiDocument>,
    readKeyNames(control),
  ])
  const operations = toOperations(document)
  const keys = [...names.values()]
  const operation = operations.find(
    ({ operationId }) => operationId === (entry ? entry.operation : source),
  )
  const key = keys.includes('key_pro') ? 'key_pro' : (keys[0] ?? '')
  const texts: RequestTexts = entry
    ? toEntryTexts(entry, keyOf(entry, names))
    : { ...toSample(operation, world.name.peek()), key }
  return {
    operations,
    operation,
    keys,
    texts,
  }
}

function toOperations({ paths, servers: [root] }: OpenApiDocument): readonly DocumentedOperation[] {
  const base = root?.url ?? ''
  return Object.entries(paths).flatMap(([path, { servers: [server = root] = [], ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: (server?.url.slice(base.length) ?? '') + path,
    })),
  )
}

/** The placeholder for a key that the journal does not know. */
const withoutKey = '$KEY'

/** Headers that the browser sets, or that belong to one connection. */
const droppedHeaders =
  /^(host|connection|content-length|accept-.+|user-agent|keep-alive|transfer-encoding|cache-control|pragma|referer|origin|sec-.+)$/

function toEntryTexts(
  { request, world, cut = [] }: JournalEntry,
  key: string | undefined,
): RequestTexts {
  if (cut.includes('request.body'))
    throw new Error(
      'The journal did not keep the whole request: what you edit would be another one.',
    )
  const isBearer = /^Bearer /i.test(request.headers['authorization'] ?? '')
  const headers = Object.entries(request.headers).filter(
    ([name, value]) =>
      !droppedHeaders.test(name) && value !== '*/*' && !(isBearer && name === 'authorization'),
  )
  const known = key === undefined || key.startsWith('fp_') ? withoutKey : key
  const isNamed = request.url.startsWith('/~') || 'x-greenhouse-world' in request.headers
  return {
    method: request.method,
    path: request.url,
    key: isBearer ? known : '',
    headers: [...headers, ...worldHeader(isNamed ? 'default' : world)]
      .map((pair) => pair.join(': '))
      .join('\n'),
    body: request.body ?? '',
  }
}

function worldHeader(world: string): readonly (readonly [string, string])[] {
  if (world === 'default') return []
  return [['x-greenhouse-world', world]]
}

function toSample(operation: DocumentedOperation | undefined, world: string) {
  const { method = 'GET', path = '/', parameters = [], requestBody } = operation ?? {}
  const [media] = Object.values(requestBody?.content ?? {})
  const headers = [...(media ? [['content-type', 'application/json']] : []), ...worldHeader(world)]
  return {
    method,
    path: parameters
      .filter(({ example }) => example !== undefined)
      .reduce(
        (whole, { name, example }) =>
          whole.replace(`{${name}}`, encodeURIComponent(String(example))),
        path,
      ),
    headers: headers.map((pair) => pair.join(': ')).join('\n'),
    body: pretty(media?.example),
  }
}

function ComposeForm({
  source,
  onClose,
  ...begun
}: Begun & {
  source: string
  onClose: () => void
}) {
  const { operations, operation, keys } = begun
  const panel = usePanel()
  const { router } = panel
  const { texts, input } = useTexts(begun.texts)
  const submit = async () => {
    const { method, path, headers, key, body } = texts
    const { status, entry } = await sendTyped(panel, readTypedPath(path.trim()), {
      method: method.trim(),
      headers: readTypedHeaders(headers, key.trim()),
      body: body || undefined,
    })
    toast(`Sent: ${toResultText(status)}`)
    const rest = entry === undefined ? undefined : [String(entry)]
    router.go({
      rest,
      params: {
        compose: undefined,
        tab: undefined,
      },
    })
  }
  return (
    <Form action="Send" icon="play" onSubmit={submit} onCancel={onClose}>
      <div class="columns-fit halves">
        <div class="form">
          <OperationField
            operations={operations}
            filled={operation?.operationId}
            first={/^\d/.test(source) ? '' : source}
          />
          <div class="columns-fit">
            <TextField title="Method" isRequired {...input('method')} suggested={methods} />
            <TextField title="Key" {...input('key')} suggested={keys} />
          </div>
          <TextField
            title="Path"
            isRequired
            hint="With its query, from the root of the server."
            autofocus
            {...input('path')}
          />
        </div>
        <div class="form">
          <TextField
            title="Headers"
            hint="One per line. The browser adds its own."
            rows={3}
            {...input('headers')}
          />
          <TextField
            title="Body"
            hint="Sent exactly as you write it, even if it is invalid."
            rows={Math.min(12, Math.max(4, texts.body.split('\n').length))}
            {...input('body')}
          />
        </div>
      </div>
    </Form>
  )
}

function OperationField({
  operations,
  filled,
  first,
}: {
  operations: Begun['operations']
  /** The operation whose sample fills the form. */
  filled: string | undefined
  first: string
}) {
  const { router } = usePanel()
  const chosen = useSignal(filled ?? first)
  const suggested = operations.map(({ operationId, summary }) => ({
    value: operationId,
    title: summary,
  }))
  const isKnown = chosen.value === '' || suggested.some(({ value }) => value === chosen.value)
  const choose = () =>
    isKnown && chosen.value !== filled && router.setParam('compose', chosen.value)
  return (
    <TextField
      kind="mono"
      title="Operation"
      hint="Its sample fills the form."
      error={isKnown ? undefined : `There is no operation ${chosen.value}.`}
      {...bound(chosen)}
      suggested={suggested}
      onChange={choose}
    />
  )
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function readTypedPath(text: string): string {
  const [path = ''] = text.split('?', 1)
  const [, missing] = /\{([^{}]+)\}/.exec(path) ?? []
  if (missing !== undefined) throw new Error(`The path needs a value for {${missing}}.`)
  if (/^\/(?!\/)/.test(text)) return text
  throw new Error('Write a path such as /plants?limit=3.')
}

function readTypedHeaders(text: string, key: string): [string, string][] {
  if (key === withoutKey)
    throw new Error(`The journal keeps no keys: replace ${withoutKey} with yours.`)
  const headers = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, value = ''] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`Write “${line.trim()}” as “name: value”.`)
      return [name, value.trim()] as [string, string]
    })
  if (key === '') return headers
  return [['authorization', `Bearer ${key}`], ...headers]
}

const searchLimit = 20

/**
 * Sends a request. Returns its status, which is 0 if no whole reply came, and the number of its
 * entry.
 */
async function sendTyped({ send, control }: Panel, path: string, given: RequestInit) {
  const init: RequestInit = {
    ...given,
    cache: 'no-store',
  }
  // Throws for a request that can't be sent, e.g. with an invalid header; and normalizes the
  // method: `get` is GET.
  const { method: sent } = new Request('http://any', init)
  const status = await send(path, init)
    .then(async (response) => {
      await response.arrayBuffer()
      return response.status
    })
    .catch((error: unknown) => {
      if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return 0
      throw error
    })
  const page = await control
    .call('GET /worlds/{world}/journal', { limit: searchLimit })
    .catch(() => undefined)
  const { pathname, search } = new URL(path, 'http://any')
  const entry = page?.data.findLast(
    ({ request }) => request.method === sent && request.url.endsWith(pathname + search),
  )
  return {
    status,
    entry: entry?.id,
  }
}
