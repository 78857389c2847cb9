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
