export type SelectOption = string | { readonly value: string; readonly title: string }

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChange: (value: string) => void
}

export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <Options of={options} />
    </select>
  )
}

export function Options({ of }: { readonly of: readonly SelectOption[] }) {
  return (
    <>
      {of.map(toOption).map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </>
  )
}

export function toOption(option: SelectOption): { readonly value: string; readonly title: string } {
  return typeof option === 'string' ? { value: option, title: option } : option
}

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly showLabel?: boolean
}

export function Switch({ label, on, onChange, showLabel = true }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      onClick={() => onChange(!on)}
    >
      <span class="switch-track" />
      {showLabel && <span>{label}</span>}
    </button>
  )
}
