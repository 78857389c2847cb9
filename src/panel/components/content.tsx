import { useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { parseAnyJson, toJson } from '../../core/http/json.ts'
import { ClientError } from '../../control/client/errors.ts'
import { toPointer } from '../../scenarios/language/pointer.ts'
import { explainError, type Texts } from '../data/control.ts'
import { type PanelResource, useResource } from '../data/panel.ts'
import { Button, CopyButton } from './controls.tsx'
import { Mark } from './marks.tsx'
import { toBytesText } from './words.ts'

export function Facts({ kind = '', children }: { kind?: string; children: ComponentChildren }) {
  return <dl class={`facts ${kind}`}>{children}</dl>
}

/** A fact of several items is a list; without any, it is left out. */
export function Fact({
  title,
  items,
  children,
}: {
  title: ComponentChildren
  items?: readonly ComponentChildren[]
  children?: ComponentChildren
}) {
  if (items?.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {items && (
          <ul class="row">
            {items.map((item, index) => (
              <li key={index}>{item}</li>
            ))}
          </ul>
        )}
        {children}
      </dd>
    </div>
  )
}

/** A sentence that helps. */
export function Hint({ text }: { text: string }) {
  return <p class="muted">{text}</p>
}

export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index}>
          {paragraph
            .split('`')
            .map((part, side) => (side % 2 === 1 ? <code key={side}>{part}</code> : part))}
        </p>
      ))}
    </div>
  )
}

const page = 100

/** Makes the value at a pointer wrong in later replies. @param words what it is then */
type Malform = (pointer: string, kind: string, words: string) => unknown

interface NodeProps {
  name?: string
  value: unknown
  open: number
  path: readonly string[]
  onMalform: Malform | undefined
}

function Node(props: NodeProps) {
  const { name, value, path, onMalform } = props
  const isChosen = useSignal(false)
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (isBranch) return <Branch {...props} value={value} />
  const text = toJson(value)
  const kind = `json-${typeof value}`
  return (
    <div class="json-leaf">
      {name !== undefined && <small>{name}: </small>}
      {onMalform ? (
        <button
          type="button"
          class={`json-value ${kind}`}
          title="Make it wrong in later replies"
          aria-expanded={isChosen.value}
          onClick={() => (isChosen.value = !isChosen.peek())}
        >
          {text}
        </button>
      ) : (
        <span class={kind}>{text}</span>
      )}
      {isChosen.value && onMalform && (
        <div class="row" role="group" aria-label={`Make ${name ?? 'it'} wrong`}>
          {malformations.map(([kind, title, words]) => (
            <Button
              key={kind}
              text={title}
              onClick={async () => {
                await onMalform(toPointer(path), kind, words)
                isChosen.value = false
              }}
            />
          ))}
        </div>
      )}
    </div>
  )
}

const malformations = [
  ['missing', 'Missing', 'is missing'],
  ['null', 'null', 'is null'],
  ['wrong-type', 'Another type', 'has another type'],
  ['huge', 'Too long', 'is too long'],
  ['empty', 'Empty', 'is empty'],
  ['bad-utf8', 'Garbage', 'is not UTF-8'],
] as const

function Branch({ name, value, open, path, onMalform }: NodeProps & { value: object }) {
  const isOpen = useSignal(open > 0)
  const shown = useSignal(page)
  const entries = Object.entries(value)
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {name !== undefined && <small>{name}: </small>}
        <small>{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</small>
      </summary>
      {isOpen.value && (
        <div class="json-members">
          {entries.slice(0, shown.value).map(([key, member]) => (
            <Node
              key={key}
              name={key}
              value={member}
              open={open - 1}
              path={[...path, key]}
              onMalform={onMalform}
            />
          ))}
          {entries.length > shown.value && (
            <button type="button" class="json-more" onClick={() => (shown.value += page * 5)}>
              {entries.length - shown.value} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}

interface MessageProps {
  headers: Texts
  repeated?: Readonly<Record<string, readonly string[]>>
  body: string | undefined
  what: 'request' | 'reply'
  isCut?: boolean
  onMalform?: Malform
}

export function HttpMessage(props: MessageProps) {
  const { headers, repeated = {} } = props
  const lines = Object.entries(headers)
  return (
    <>
      <Body {...props} />
      <h3 class="part-head">Headers</h3>
      {lines.length === 0 && <Hint text="None." />}
      <Facts kind="facts-headers">
        {lines.flatMap(([name, value]) =>
          (repeated[name] ?? [value]).map((one, index) => (
            <Fact key={name + index} title={name}>
              {one}
            </Fact>
          )),
        )}
      </Facts>
    </>
  )
}

function Body({ body = '', what, isCut = false, onMalform }: MessageProps) {
  const isRaw = useSignal(false)
  const value = /^\s*[[{]/.test(body) && parseAnyJson(body)
  if (body === '')
    return (
      <>
        <h3 class="part-head">Body</h3>
        <Hint text={isCut ? 'It was too large for the journal.' : 'None.'} />
      </>
    )
  return (
    <>
      <div class="row part-head">
        <h3>Body</h3>
        <small>{toBytesText(new TextEncoder().encode(body).length)}</small>
        <span class="spacer" />
        {value && (
          <Button
            kind="quiet"
            pressed={isRaw.value}
            onClick={() => (isRaw.value = !isRaw.value)}
            text="Raw"
          />
        )}
        <CopyButton
          text={body}
          what={`${isCut ? 'the beginning of ' : ''}the body of the ${what}`}
        />
      </div>
      {isCut && (
        <Hint text="The body was longer: the journal keeps its first 64 KiB, and this is no more than that." />
      )}
      {value && !isRaw.value ? (
        <div class="json">
          <Node value={value} open={3} path={[]} onMalform={onMalform} />
        </div>
      ) : (
        <pre class="code">{body}</pre>
      )}
    </>
  )
}

type EmptyStateProps = {
  title: string
  text?: string
  children?: ComponentChildren
  action?: string
  onAction?: () => unknown
}

export function EmptyState({ title, text, children = text, action, onAction }: EmptyStateProps) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children && <div class="muted breaks">{children}</div>}
      {action && onAction && <Button text={action} onClick={onAction} />}
    </div>
  )
}

export function ErrorState({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  // It may still come; then it appears by itself.
  if (error instanceof ClientError && error.status === 404)
    return <EmptyState title="It is not there">{explainError(error)}</EmptyState>
  return (
    <div class="state" role="alert">
      <p class="state-title">
        <Mark tone="bad" /> That did not work
      </p>
      <p class="muted breaks">{explainError(error)}</p>
      <Button icon="redo" onClick={onRetry} text="Try again" />
    </div>
  )
}

export function Skeleton() {
  return <div class="skeleton" role="progressbar" aria-busy="true" aria-label="Loading" />
}

type LoadedProps<T> = {
  resource: PanelResource<T>
  children: (value: T) => ComponentChildren
}

export function Loaded<T>({ resource, children }: LoadedProps<T>) {
  const { value, error, reload } = resource
  return (
    <>
      {error && <ErrorState error={error} onRetry={reload} />}
      {value !== undefined ? children(value) : !error && <Skeleton />}
    </>
  )
}

/** A component whose code loads when it is first drawn: what needs the server anyway. */
export function lazy<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return (props: Props) => (
    <Loaded resource={useResource(load, [])}>{(module) => <module.default {...props} />}</Loaded>
  )
}
