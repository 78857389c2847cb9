interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  /** Shows the label beside it. */
  readonly showLabel?: boolean
  readonly disabled?: boolean
}

export function Switch({ label, on, onChange, showLabel = true, disabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!on)}
    >
      <span class="switch-track" />
      {showLabel && <span>{label}</span>}
    </button>
  )
}
