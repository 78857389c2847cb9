import { Button, FieldRow } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { toMessage } from '../../data/failure.ts'
import { useFailure } from '../../data/use-failure.ts'

export interface MoveFormProps {
  readonly title: string
  readonly hint: string
  readonly placeholder: string
  readonly action: string
  readonly onSubmit: (text: string) => Promise<void>
}

/** An input that moves the clock, with the error of a failed move below. */
export function MoveForm({ title, hint, placeholder, action, onSubmit }: MoveFormProps) {
  const text = useDraft(`clock ${title}`).part('text', '')
  const error = useFailure()
  const submit = async () => {
    if (text.peek().trim() === '') return void (error.value = `Write ${placeholder}, for example.`)
    try {
      await onSubmit(text.peek().trim())
      error.value = ''
    } catch (thrown) {
      error.value = thrown
    }
  }
  return (
    <form
      class="time-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FieldRow title={title} hint={hint} error={toMessage(error.value)} isRequired>
        {(ids) => (
          <div class="row input-row">
            <input
              {...ids}
              class="input"
              type="text"
              placeholder={placeholder}
              autocomplete="off"
              spellcheck={false}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
            <Button type="submit">{action}</Button>
          </div>
        )}
      </FieldRow>
    </form>
  )
}
