import { type Signal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { toClientUrl } from '../../../core/http/urls.ts'
import { type CodeRequest, toCurl } from '../../../core/text/code.ts'
import { HttpMessage } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { copyWithToast } from '../../components/files.ts'
import { toFields } from '../../components/form/draft.ts'
import { FormFailure, SelectField, TextField } from '../../components/form/field.tsx'
import { SchemaInput } from '../../components/form/schema-form.tsx'
import { Link } from '../../components/layout.tsx'
import { Badge, Duration, StatusBadge } from '../../components/marks.tsx'
import { Skeleton } from '../../components/states.tsx'
import { useDraft, useFailure, useSubmit } from '../../data/form.ts'
import { pretty } from '../../data/json.ts'
import { type ApiParameter, type DocsOperation, exampleOf, type OpenApi } from '../../data/open-api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { JsonSchema, KeySummary } from '../../data/shapes.ts'
import { limitsOf } from './schema-view.tsx'
import { type ReceivedReply, sendFromDocs } from '../traffic/code.ts'

const usualKey = 'key_pro'

export function Try({ operation: shown, document }: { operation: DocsOperation; document: OpenApi }) {
  const panel = usePanel()
  const { control, router, world } = panel
  const name = world.name.value
  const { operation } = shown
  const fields = useMemo(() => toFields(parameterSchema(shown, document)), [shown, document])
  const media = Object.values(operation.requestBody?.content ?? {})[0]
  const keys = useResource(async () => (await control.call('GET /worlds/{world}/keys')).data, [name], ['keys'])
  const named = (keys.value.value ?? []).filter((key) => key.name !== null)
  const draft = useDraft(`try ${shown.id}`)
  const keptKey = draft.part('key', usualKey)
  const wanted = router.route.value.params['key'] ?? keptKey.value
  const chosen =
    wanted === 'none'
      ? noKeyChoice
      : wanted === otherKey || named.some((key) => key.name === wanted)
        ? wanted
        : (named[0]?.name ?? otherKey)

  const values = draft.part<Readonly<Record<string, string>>>(
    'values',
    Object.fromEntries(
      (operation.parameters ?? []).flatMap((parameter) =>
        parameter.example === undefined ? [] : [[parameter.name, String(parameter.example)]],
      ),
    ),
  )
  const body = draft.part(
    'body',
    media ? pretty(media.example ?? exampleOf(media.schema, document.components.schemas)) : '',
  )
  const typed = draft.part('typed', '')
  const missing = useSignal<readonly string[]>([])
  const failure = useFailure()
  const reply = useSignal<ReceivedReply | undefined>(undefined)

  const request = () =>
    toDocsRequest(shown, {
      world: name,
      values: values.peek(),
      key: chosen === otherKey ? typed.peek().trim() : chosen,
      body: body.peek(),
    })
  const { isBusy, submit } = useSubmit(failure, async () => {
    missing.value = missingIn(shown, values.peek())
    if (missing.peek().length === 0) reply.value = await sendFromDocs(panel, request())
  })
  const copy = async () => {
    const { plants_url: plants, apps_url: apps } = await control.call('GET /start')
    const sent = request()
    await copyWithToast(toCurl({ ...sent, url: toClientUrl({ plants, apps })(sent.url) }), 'the request as curl')
  }

  // Before the keys are loaded, “Send” would send no key.
  if (!keys.value.value && !keys.error.value) return <Skeleton lines={6} />
  return (
    <>
      <form class="form docs-form" noValidate aria-label={`Try ${shown.id}`} onSubmit={submit}>
        <FormFailure of={failure} />
        <div class="columns-fit docs-inputs">
          <KeyChoice
            keys={named}
            chosen={chosen}
            typed={typed}
            onChoose={(key) => {
              keptKey.value = key === noKeyChoice ? 'none' : key
              router.setParam('key', key === usualKey ? undefined : keptKey.peek())
            }}
          />
          {fields.map((field) => (
            <SchemaInput
              key={field.name}
              field={field}
              text={values.value[field.name] ?? ''}
              error={missing.value.includes(field.name) ? 'The path requires it.' : undefined}
              onChange={(text) => (values.value = { ...values.value, [field.name]: text })}
            />
          ))}
        </div>
        {media && (
          <TextField
            title="Body"
            hint="Sent exactly as you write it, even if it is invalid."
            isRequired={operation.requestBody!.required}
            kind="input-code"
            rows={Math.min(16, Math.max(4, body.value.split('\n').length))}
            of={body}
          />
        )}
        <div class="row">
          <Button kind="primary" type="submit" icon="play" disabled={isBusy.value} text="Send" />
          <Button icon="copy" onClick={copy} text="Copy as curl" />
          {draft.isKept() && (
            <Button
              kind="quiet"
              onClick={() => {
                draft.forget()
                router.setParam('key', undefined)
              }}
              text="Discard"
            />
          )}
          {isBusy.value && <span class="muted">waiting for the reply…</span>}
        </div>
      </form>
      {reply.value && <ReplyView reply={reply.value} />}
    </>
  )
}

function parameterSchema({ operation: { parameters = [] } }: DocsOperation, document: OpenApi): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, in: place, description, schema }) => {
        // The select lists the values of an enum.
        const { enum: _, ...rest } = schema
        const limits = limitsOf(rest, document.components.schemas)
        const words = [place === 'query' ? '' : `In the ${place}.`, description, limits && `(${limits})`]
        return [name, { ...schema, title: name, description: words.filter(Boolean).join(' ') }]
      }),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    $defs: document.components.schemas,
  }
}

const noKeyChoice = ''
const otherKey = '*'

interface KeyChoiceProps {
  readonly keys: readonly KeySummary[]
  readonly chosen: string
  readonly typed: Signal<string>
  readonly onChoose: (name: string) => void
}

function KeyChoice({ keys, chosen, typed, onChoose }: KeyChoiceProps) {
  return (
    <div class="form">
      <SelectField
        title="Key"
        isRequired
        value={chosen}
        options={[
          ...keys.map(({ name, plan, revoked }) => ({
            value: name!,
            title: `${name} (${plan ?? 'no account'}${revoked ? ', revoked' : ''})`,
          })),
          { value: noKeyChoice, title: 'none' },
          { value: otherKey, title: 'another…' },
        ]}
        onChoose={onChoose}
      />
      {chosen === otherKey && <TextField title="Another key" isRequired kind="mono" of={typed} />}
    </div>
  )
}

function ReplyView({ reply }: { readonly reply: ReceivedReply }) {
  const { status, statusText, headers, body, ms, entry } = reply
  return (
    <section class="callout docs-received" aria-label="Reply">
      <div class="row" role="status">
        <h3>Reply</h3>
        <StatusBadge status={status} />
        <span>{statusText}</span>
        <span class="muted">
          <Duration ms={ms} />
        </span>
        {entry !== undefined && (
          <Link to={{ view: 'traffic', rest: [String(entry)] }}>Why this reply: see it in Traffic</Link>
        )}
      </div>
      {status === 0 ? (
        <Badge tone="gone">The connection ended before the reply was complete.</Badge>
      ) : (
        <HttpMessage headers={headers} body={body} what="reply" omitted={[]} />
      )}
    </section>
  )
}

interface FilledRequest {
  readonly world: string
  readonly values: Readonly<Record<string, string>>
  readonly key: string
  readonly body: string
}

/** Builds the request from the form. It does not validate the values: the service reports what is wrong. */
function toDocsRequest(
  { method, path, operation }: DocsOperation,
  { world, values, key, body }: FilledRequest,
): CodeRequest {
  const { parameters = [], requestBody } = operation
  const given = (place: ApiParameter['in']) =>
    parameters
      .filter(({ name, in: where }) => where === place && (values[name] ?? '') !== '')
      .map(({ name }) => [name, values[name]!] as const)
  const filled = given('path').reduce(
    (whole, [name, value]) => whole.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
  const query = given('query')
  const sent = requestBody && body !== '' ? body : undefined
  return {
    method,
    url:
      (world === 'default' ? '' : `/~${world}`) +
      filled +
      (query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value])).toString()}`),
    headers: [
      ...(key === '' ? [] : [['authorization', `Bearer ${key}`] as const]),
      ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...given('header').map(([name, value]) => [name.toLowerCase(), value] as const),
    ],
    body: sent,
  }
}

function missingIn({ operation }: DocsOperation, values: FilledRequest['values']): readonly string[] {
  return (operation.parameters ?? [])
    .filter(({ name, in: place }) => place === 'path' && (values[name] ?? '') === '')
    .map(({ name }) => name)
}
