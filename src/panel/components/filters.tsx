import type { ComponentChildren } from 'preact'
import { usePanel } from '../data/panel.ts'
import { Button } from './button.tsx'
import { Select, toOption, type SelectOption } from './select.tsx'

interface FilterSelectProps {
  readonly param: string
  readonly label: string
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
  readonly param: string
  readonly title?: string
  readonly children: ComponentChildren
}

export function FilterToggle({ param, children, ...rest }: FilterToggleProps) {
  const { router } = usePanel()
  const isOn = router.route.value.params[param] === 'true'
  return (
    <Button {...rest} pressed={isOn} onClick={() => router.setParam(param, isOn ? undefined : 'true')}>
      {children}
    </Button>
  )
}
