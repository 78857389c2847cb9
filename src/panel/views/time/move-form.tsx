import { TextField, useSubmit } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { toMessage } from '../../data/failure.ts'
import { useFailure } from '../../data/use-failure.ts'

interface MoveFormProps {
  readonly title: string
  readonly hint: string
  readonly placeholder: string
  readonly action: string
  readonly onSubmit: (text: string) => Promise<void>
}

export function MoveForm({ onSubmit, ...field }: MoveFormProps) {
  const text = useDraft(`clock ${field.title}`).part('text', '')
  const error = useFailure()
  const { submit } = useSubmit(error, () => {
    const typed = text.peek().trim()
    if (typed === '') throw new Error(`Write ${field.placeholder}, for example.`)
    return onSubmit(typed)
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextField {...field} error={toMessage(error.value)} isRequired of={text} />
    </form>
  )
}
