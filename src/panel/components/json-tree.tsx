import { useSignal } from '@preact/signals'

const page = 100

const longText = 400

interface JsonTreeProps {
  readonly value: unknown
  readonly open: number
}

export function JsonTree({ value, open }: JsonTreeProps) {
  return (
    <div class="json">
      <Node value={value} open={open} />
    </div>
  )
}

function Node({ name, value, open }: { readonly name?: string; readonly value: unknown; readonly open: number }) {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (isBranch) return <Branch name={name} value={value} open={open} />
  return (
    <div class="json-leaf">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  )
}

function Branch({ name, value, open }: { name: string | undefined; value: object; open: number }) {
  const isOpen = useSignal(open > 0)
  const shown = useSignal(page)
  const entries = Object.entries(value)
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        <span class="json-size">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      {isOpen.value && (
        <div class="json-members">
          {entries.slice(0, shown.value).map(([key, member]) => (
            <Node key={key} name={key} value={member} open={open - 1} />
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

function Name({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <span class="muted">{name}: </span>
}

function Leaf({ value }: { readonly value: unknown }) {
  const isWhole = useSignal(false)
  if (typeof value === 'object' && value !== null)
    return <span class="json-size">{Array.isArray(value) ? '[]' : '{}'}</span>
  if (typeof value !== 'string') return <span class={`json-${typeof value}`}>{String(value)}</span>
  const isCut = value.length > longText && !isWhole.value
  return (
    <span class="json-string">
      {JSON.stringify(isCut ? value.slice(0, longText) : value)}
      {isCut && (
        <button type="button" class="json-more" onClick={() => (isWhole.value = true)}>
          {value.length - longText} characters more
        </button>
      )}
    </span>
  )
}
