import { Options, type SelectOption } from '../select.tsx'
import { FieldRow, type FieldRowProps } from './field.tsx'

interface SelectFieldProps extends Omit<FieldRowProps, 'children'> {
  readonly value: string
  readonly options: readonly SelectOption[]
  readonly onChoose: (value: string) => void
}

export function SelectField({ value, options, onChoose, ...row }: SelectFieldProps) {
  return (
    <FieldRow {...row}>
      {(ids) => (
        <select {...ids} class="input" value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          <Options of={options} />
        </select>
      )}
    </FieldRow>
  )
}
