import { useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface FilterInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
}

export function FilterInput({ label, value, onChange, placeholder = 'Filter' }: FilterInputProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="filter-input line">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        data-filter
        aria-label={label}
        placeholder={placeholder}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          if (value === '') input.current!.blur()
          else onChange('')
        }}
      />
      {value === '' && <kbd>/</kbd>}
    </div>
  )
}
