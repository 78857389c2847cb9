import { useId } from 'preact/hooks'
import { FieldRow } from '../../components/index.ts'
import { Options } from '../../components/select.tsx'
import type { Api } from '../../data/api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { OptionDeclaration } from '../../data/shapes.ts'
import { toHint, inputTypeOf } from './option-texts.ts'

interface OptionInputProps {
  readonly name: string
  readonly declaration: OptionDeclaration
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

export function OptionInput({ name, declaration, text, error, onChange }: OptionInputProps) {
  const type = inputTypeOf(declaration)
  const values = declaration.values?.map(String) ?? (type === 'boolean' ? ['true', 'false'] : undefined)
  const id = useId()
  return (
    <FieldRow title={name} hint={toHint(declaration)} error={error} isRequired>
      {({ 'aria-required': _, ...ids }) =>
        values ? (
          <select class="input" {...ids} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
            {/* A link may contain an unknown value: the server reports it. */}
            {!values.includes(text) && <option value={text}>{text}</option>}
            <Options of={values} />
          </select>
        ) : (
          <>
            <input
              class="input"
              {...ids}
              type="text"
              inputMode={type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : undefined}
              autocomplete="off"
              spellcheck={false}
              list={name in sources ? id : undefined}
              value={text}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
            {name in sources && <Suggestions id={id} of={name as keyof typeof sources} />}
          </>
        )
      }
    </FieldRow>
  )
}

const sources = {
  on: async (api: Api) => {
    const ids = (await api.operations()).map(({ id }) => id as string)
    return ['*', ...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('.')) + '.*')), ...ids]
  },
  key: async (api: Api) => ['any', ...Object.keys((await api.start()).keys)],
  account: async (api: Api, world: string) => ['any', ...(await api.accounts(world)).map(({ id }) => id)],
}

function Suggestions({ id, of }: { readonly id: string; readonly of: keyof typeof sources }) {
  const { api, world } = usePanel()
  const found = useResource(() => sources[of](api, world.name.peek()), [of]).value.value
  return (
    <datalist id={id}>
      {found?.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
