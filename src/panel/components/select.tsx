export interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly onChange: (value: string) => void
}

/** A choice of one of several, with its label for screen readers. */
export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  )
}
