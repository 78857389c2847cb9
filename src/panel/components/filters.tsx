import type { ComponentChildren } from 'preact'
import { usePanel } from '../data/panel.ts'
import { Button } from './button.tsx'
import { Select, toOption, type SelectOption } from './select.tsx'

interface FilterSelectProps {
  /** The parameter of the URL that keeps the value. */
  readonly param: string
  readonly label: string
  /** The title of the option that filters nothing: `Any status`. */
  readonly any: string
  readonly options: readonly SelectOption[]
}

/** A select that filters a list. A value in the URL that no option has becomes an option. */
export function FilterSelect({ param, label, any, options }: FilterSelectProps) {
  const { router } = usePanel()
  const value = router.route.value.params[param] ?? ''
  const known = [{ value: '', title: any }, ...options.map(toOption)]
  return (
    <Select
      label={label}
      value={value}
      options={known.some((one) => one.value === value) ? known : [...known, value]}
      onChange={(chosen) => router.setParam(param, chosen)}
    />
  )
}

interface FilterToggleProps {
  /** The parameter of the URL that is `true` while the button is pressed. */
  readonly param: string
  readonly title?: string
  readonly children: ComponentChildren
}

/** A button that filters a list while it is pressed. */
export function FilterToggle({ param, children, ...rest }: FilterToggleProps) {
  const { router } = usePanel()
  const isOn = router.route.value.params[param] === 'true'
  return (
    <Button {...rest} pressed={isOn} onClick={() => router.setParam(param, isOn ? undefined : 'true')}>
      {children}
    </Button>
  )
}
